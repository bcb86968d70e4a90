import { beforeAll, expect, test } from 'vitest';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { ccAddress, nftScript, tokenScript } from '#lib/chain/cryptocondition.ts';
import { publicKeyOf } from '#lib/chain/key.ts';
import { createAudit, type Audit } from '#lib/server/access/audit/audit.ts';
import {
	createAddressBook,
	type AddressBook,
	type Written
} from '#lib/server/wallet/address-book/addressBook.ts';
import { readEntries, writeEntries } from '#lib/server/wallet/address-book/csv.ts';
import { errorMessage } from '#lib/messages/errors/index.ts';
import { withLabels, namedIn } from '#lib/server/wallet/address-book/withLabels.ts';
import type { AddressBookFault, TypedEntry } from '#lib/server/wallet/address-book/read.ts';
import { describeOnBothDatabases, isWaiting } from '../../support/database.ts';
import { heldResult } from '../../support/heldResult.ts';

const CHAINS = ['KMD', 'ALPHA', 'BETA'];
const key = (n: number): Uint8Array => publicKeyOf(new Uint8Array(32).fill(n));
const hexOf = (n: number): string => bytesToHex(key(n));
const TOKEN = 'ab'.repeat(32);

const typed = (more: Partial<TypedEntry>): TypedEntry => ({
	kind: 'pubkey',
	value: hexOf(1),
	chain: '',
	label: 'Alice',
	note: '',
	...more
});

const messageOf = ({ code, params }: AddressBookFault): string => errorMessage(code, params);
const errorsOf = (written: Written): Partial<Record<string, string>> | null =>
	written.ok
		? null
		: Object.fromEntries(
				Object.entries(written.errors).map(([field, fault]) => [field, messageOf(fault)])
			);
const idOf = (written: Written): string => {
	if (!written.ok) throw new Error(JSON.stringify(written.errors));
	return written.id;
};

describeOnBothDatabases('the address book', (database) => {
	let audit: Audit;
	let addressBook: AddressBook;
	beforeAll(() => {
		audit = createAudit(database.db, new Uint8Array(32));
		addressBook = createAddressBook(database.db, audit);
	});
	const add = (more: Partial<TypedEntry>): Promise<Written> =>
		addressBook.add(typed(more), CHAINS, 'ada');

	test('a key is known by its coin address and its token addresses, each named for what it is', async () => {
		const id = idOf(await add({ note: 'pays the fees' }));
		const labels = await addressBook.labels(
			new Set([
				hexOf(1),
				addressOfPubkey(key(1)),
				ccAddress(tokenScript(key(1))),
				ccAddress(nftScript(key(1), 0xf1)),
				addressOfPubkey(key(2))
			])
		);
		expect(Object.entries(labels).map(([at, { label, form }]) => [at, label, form])).toEqual(
			expect.arrayContaining([
				[hexOf(1), 'Alice', ''],
				[addressOfPubkey(key(1)), 'Alice', 'coin address'],
				[ccAddress(tokenScript(key(1))), 'Alice', 'token address'],
				[ccAddress(nftScript(key(1), 0xf1)), 'Alice', 'address of non-fungible tokens (f1)']
			])
		);
		expect(Object.keys(labels)).toHaveLength(4);
		expect(await addressBook.get(id)).toMatchObject({
			label: 'Alice',
			writtenBy: 'ada',
			kind: 'pubkey'
		});
	});

	test('labels that look alike, keys that are known and wrong input are refused at their field', async () => {
		const cases: readonly (readonly [Partial<TypedEntry>, keyof TypedEntry, RegExp])[] = [
			[{ value: hexOf(2), label: 'alice' }, 'label', /look alike/],
			[{ value: hexOf(2), label: '\u0410lice' }, 'label', /look alike/],
			[{ value: hexOf(2), label: 'A1ice' }, 'label', /look alike/],
			[{ value: hexOf(2), label: 'Alice' }, 'label', /has this label/],
			[{ value: hexOf(2), label: 'Al\u202eice' }, 'label', /cannot be seen/],
			[{ value: hexOf(2), label: 'Alice\u3164' }, 'label', /cannot be seen/],
			[{ value: hexOf(2), label: 'BETA' }, 'label', /name of the chain BETA/],
			[
				{ value: hexOf(2), label: 'Own wallet on BETA' },
				'label',
				/looks like “Own wallet on BETA”/
			],
			[{ value: hexOf(2), label: 'own  wa1let-on beta' }, 'label', /the team’s own wallet/],
			[
				{ kind: 'chain', value: 'BETA', label: 'Own wallet on ALPHA' },
				'label',
				/looks like “Own wallet on ALPHA”/
			],
			[{ value: hexOf(2), label: addressOfPubkey(key(3)) }, 'label', /taken for one/],
			[{ value: hexOf(2), label: ' ' }, 'label', /Enter a label/],
			[{ value: hexOf(2), label: 'x'.repeat(61) }, 'label', /maximum is 60/],
			[{ label: 'Other' }, 'value', /in the address book.*, as “Alice”/],
			[
				{ kind: 'address', value: addressOfPubkey(key(1)), label: 'O' },
				'value',
				/coin address of the key/
			],
			[{ value: addressOfPubkey(key(2)), label: 'O' }, 'value', /This is an address/],
			[{ value: `02${'ff'.repeat(32)}`, label: 'O' }, 'value', /not a point on the curve/],
			[{ value: '', label: 'O' }, 'value', /Enter the public key/],
			[
				{ kind: 'address', value: 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk93', label: 'O' },
				'value',
				/not an address/
			],
			[{ kind: 'token', value: 'abc', chain: 'ALPHA', label: 'O' }, 'value', /64 hex digits/],
			[{ kind: 'token', value: TOKEN, chain: '', label: 'O' }, 'chain', /Choose the chain/],
			[{ kind: 'chain', value: 'OMEGA', label: 'O' }, 'value', /no such chain/],
			[{ kind: 'door', label: 'O' }, 'kind', /Choose a type/],
			[{ value: hexOf(2), label: 'O', note: 'x'.repeat(1001) }, 'note', /maximum is 1000/],
			[{ value: hexOf(2), label: 'O', note: 'a\u202eb' }, 'note', /cannot be seen/]
		];
		for (const [more, field, sentence] of cases) {
			const errors = errorsOf(await add(more));
			expect(Object.keys(errors ?? {}), JSON.stringify(more)).toEqual([field]);
			expect(errors?.[field], JSON.stringify(more)).toMatch(sentence);
		}
		expect((await addressBook.list()).total).toBe(1);
	});

	test('what another member changed since the form was made is not taken back by it', async () => {
		const shown = typed({ value: hexOf(5), label: 'Hot store' });
		const id = idOf(await add(shown));
		const change = (more: Partial<typeof shown>, actor: string, known?: typeof shown) =>
			addressBook.change(id, { ...shown, ...more }, CHAINS, actor, known);
		await change({ value: hexOf(6) }, 'grace', shown);
		await change({ note: 'ask first' }, 'ada', shown);
		expect(await addressBook.get(id)).toMatchObject({ value: hexOf(6), note: 'ask first' });
		await change({ value: hexOf(5) }, 'ada', { ...shown, value: hexOf(6) });
		expect(await addressBook.get(id)).toMatchObject({ value: hexOf(5), note: 'ask first' });
		await change({}, 'ada');
		expect(await addressBook.get(id)).toMatchObject({ value: hexOf(5), note: '' });
		expect(await addressBook.remove(id, 'ada')).toBe(true);
	});

	test('an address becomes its key when the entry is changed, and each change says who and when', async () => {
		const id = idOf(
			await add({ kind: 'address', value: addressOfPubkey(key(4)), label: 'Cold store' })
		);
		const clash = await add({ value: hexOf(4), label: 'Cold key' });
		expect(errorsOf(clash)?.value).toMatch(/Change that entry into this key/);
		const changed = await addressBook.change(
			id,
			typed({ value: hexOf(4), label: 'Cold store' }),
			CHAINS,
			'grace'
		);
		expect(changed).toEqual({ ok: true, id });
		expect(await addressBook.get(id)).toMatchObject({
			kind: 'pubkey',
			createdBy: 'ada',
			writtenBy: 'grace'
		});
		expect(await addressBook.remove(id, 'grace')).toBe(true);
		expect(await addressBook.remove(id, 'grace')).toBe(false);
		expect(
			errorsOf(await addressBook.change(id, typed({ label: 'Late' }), CHAINS, 'ada'))?.label
		).toMatch(/entry was removed in the meantime/);
		expect(await addressBook.labels(new Set([hexOf(4)]))).toEqual({});
		const acts = (await audit.list({ limit: 3 })).map(({ actor, action, target }) => [
			actor,
			action,
			target
		]);
		expect(acts).toEqual([
			['grace', 'book.removed', hexOf(4)],
			['grace', 'book.changed', hexOf(4)],
			['ada', 'book.added', addressOfPubkey(key(4))]
		]);
	});

	test('an entry that one member removes while another changes it is removed, and the other is told', async () => {
		const id = idOf(await add({ value: hexOf(5), label: 'Old store' }));
		const held = heldResult(database.db, (_rows, text) => text.startsWith('delete from "labels"'));
		const removing = createAddressBook(held.db, audit).remove(id, 'ada');
		await held.isHeld;
		const late = typed({ value: hexOf(5), label: 'Old store', note: 'late' });
		const changing = addressBook.change(id, late, CHAINS, 'grace');
		await isWaiting(database, database.db);
		held.release();
		const [isRemoved, changed] = await Promise.all([removing, changing]);
		expect(isRemoved).toBe(true);
		expect(errorsOf(changed)?.label).toMatch(/entry was removed in the meantime/);
	});

	test('two people who add look-alike labels at once do not both get them', async () => {
		const written = await Promise.all([
			add({ value: hexOf(5), label: 'Treasury' }),
			add({ value: hexOf(6), label: 'TREASURY' }),
			add({ value: hexOf(7), label: 'Trea\u0455ury' })
		]);
		expect(written.filter(({ ok }) => ok)).toHaveLength(1);
	});

	test('labels are found by any word, a beginning, a typing error, a key or an address', async () => {
		idOf(await add({ kind: 'token', value: TOKEN, chain: 'ALPHA', label: 'Golden ticket' }));
		idOf(await add({ kind: 'chain', value: 'BETA', label: 'Staging chain' }));
		const found = async (text: string): Promise<string[]> =>
			(await addressBook.find(text, 5)).map(({ entry }) => entry.label);
		expect(await found('golden')).toEqual(['Golden ticket']);
		expect(await found('tick')).toEqual(['Golden ticket']);
		expect(await found('goldne ticket')).toEqual(['Golden ticket']);
		expect(await found('stagnig')).toEqual(['Staging chain']);
		expect(await found(hexOf(1).toUpperCase())).toEqual(['Alice']);
		expect(await found(ccAddress(tokenScript(key(1))))).toEqual(['Alice']);
		expect(await found('zebra')).toEqual([]);
		expect(await found('')).toEqual([]);
		expect((await addressBook.byLabel('  ALICE'))?.value).toBe(hexOf(1));
		// A text that only looks like a label is not resolved where money is sent.
		expect(await addressBook.byLabel('\u0410lice')).toBeNull();
		expect((await addressBook.list({ q: 'ticket' })).entries.map(({ label }) => label)).toEqual([
			'Golden ticket'
		]);
		expect((await addressBook.list({ kind: 'chain' })).total).toBe(1);
	});

	test('the book leaves as a file and comes back; wrong lines are named and the others taken', async () => {
		const before = await addressBook.all();
		const file = writeEntries(before);
		expect(file.split('\r\n')[0]).toBe('kind,value,chain,label,note,written by,written');
		const again = readEntries(file);
		if (!again.ok) throw new Error(again.fault.code);
		expect(await addressBook.importAll(again.lines, CHAINS, 'ada')).toEqual({
			added: 0,
			changed: 0,
			same: before.length,
			faults: []
		});
		const csv = [
			'\ufefflabel;kind;value;note',
			`"Bob; the ""builder""";pubkey;${hexOf(8)};"two`,
			'lines"',
			`'=cmd|calc;pubkey;${hexOf(9)};`,
			`alicE;pubkey;${hexOf(10)};`,
			'',
			`Nobody;pubkey;${'0'.repeat(66)};`,
			`Alice;pubkey;${hexOf(1)};another note`
		].join('\r\n');
		const read = readEntries(csv);
		if (!read.ok) throw new Error(read.fault.code);
		const done = await addressBook.importAll(read.lines, CHAINS, 'grace');
		expect(done).toMatchObject({ added: 2, changed: 1, same: 0 });
		expect(done.faults.map(({ line }) => line)).toEqual([5, 7]);
		expect(done.faults[0]!.problems.map(messageOf).join()).toMatch(/look alike/);
		const labels = (await addressBook.all()).map(({ label }) => label);
		expect(labels).toContain('Bob; the "builder"');
		expect(labels).toContain('=cmd|calc');
		// A spreadsheet would execute it.
		expect(writeEntries(await addressBook.all())).toContain(`,"'=cmd|calc",`);
		expect(readEntries('one,two\n1,2')).toMatchObject({ ok: false });
		expect(readEntries('')).toMatchObject({ ok: false });
	});

	test('a file without a column of notes leaves the notes of existing entries as they are', async () => {
		const imported = async (csv: string) => {
			const read = readEntries(csv);
			if (!read.ok) throw new Error(read.fault.code);
			return addressBook.importAll(read.lines, CHAINS, 'ada');
		};
		const noteOf = async (n: number) =>
			(await addressBook.all()).find(({ value }) => value === hexOf(n))?.note;
		await imported(`kind,value,label,note\npubkey,${hexOf(30)},Archive,keep this`);
		const bare = `kind,value,label\npubkey,${hexOf(30)},Archive`;
		expect(await imported(bare)).toMatchObject({ added: 0, changed: 0, same: 1 });
		expect(await imported(`${bare} two\npubkey,${hexOf(31)},Cellar`)).toMatchObject({
			added: 1,
			changed: 1
		});
		expect([await noteOf(30), await noteOf(31)]).toEqual(['keep this', '']);
		await imported(`kind,value,label,note\npubkey,${hexOf(30)},Archive,`);
		expect(await noteOf(30)).toBe('');
	});

	test('a page asks one question for all labels on it, and none for a visitor', async () => {
		const data = {
			rows: Array.from({ length: 300 }, (_, n) => ({
				txid: n.toString(16).padStart(64, '0'),
				address: addressOfPubkey(key((n % 200) + 1)),
				bytes: new Uint8Array(40)
			})),
			pair: `${hexOf(1)}+${hexOf(2)}`,
			other: new Map([['x', { owner: hexOf(1) }]])
		};
		expect(namedIn(data).size).toBe(300 + 200 + 2);
		let questions = 0;
		const counting = {
			...addressBook,
			labels: (keys: ReadonlySet<string>) => {
				questions += 1;
				return addressBook.labels(keys);
			}
		};
		const app = { addressBook: counting, gateway: { chains: () => CHAINS } };
		const asked = await withLabels({ app, account: { name: 'ada' } }, data);
		expect(asked.labels[addressOfPubkey(key(1))]?.label).toBe('Alice');
		// The label of a chain is included whatever the page shows.
		expect(asked.labels['BETA']?.label).toBe('Staging chain');
		expect(questions).toBe(1);
		expect((await withLabels({ app, account: null }, data)).labels).toEqual({});
		expect(questions).toBe(1);
	});

	test('a label is found by all its words where many others have one of them', async () => {
		const lines = Array.from({ length: 300 }, (_, n) => ({
			line: n + 1,
			typed: typed({
				kind: 'token',
				chain: 'ALPHA',
				label: `Payout desk ${n + 1000}`,
				value: n.toString(16).padStart(64, '0')
			})
		}));
		expect(await addressBook.importAll(lines, CHAINS, 'ada')).toMatchObject({ added: 300 });
		idOf(await add({ kind: 'chain', value: 'ALPHA', label: 'Desk' }));
		const found = async (text: string): Promise<string[]> =>
			(await addressBook.find(text, 5)).map(({ entry }) => entry.label);
		expect(await found('payout desk 1274')).toEqual(['Payout desk 1274']);
		expect((await found('desk'))[0]).toBe('Desk');
	});

	test('a book that is full takes no entry more, and those that it has can be changed', async () => {
		const { total } = await addressBook.list();
		const small = createAddressBook(database.db, audit, total + 2);
		const line = (n: number, note = '') => ({
			line: n + 1,
			typed: typed({
				kind: 'token',
				chain: 'ALPHA',
				label: `Last shelf ${n}`,
				note,
				value: `f${n.toString(16).padStart(63, '0')}`
			})
		});
		const full = { code: 'address-book.full', params: { most: total + 2 } } as const;
		expect(await small.importAll([line(0), line(1), line(2)], CHAINS, 'ada')).toMatchObject({
			added: 2,
			faults: [{ line: 3, problems: [full] }]
		});
		expect(await small.add(line(3).typed, CHAINS, 'ada')).toEqual({
			ok: false,
			errors: { label: full }
		});
		expect(errorMessage(full.code, full.params)).toMatch(/no more are possible/);
		expect(await small.importAll([line(1, 'changed')], CHAINS, 'ada')).toMatchObject({
			changed: 1,
			faults: []
		});
		expect((await small.list()).total).toBe(total + 2);
	});
});
