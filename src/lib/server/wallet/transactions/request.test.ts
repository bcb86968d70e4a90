import { describe, expect, test } from 'vitest';
import { addressOfPubkey, encodeAddress, SCRIPT_ADDRESS_VERSION } from '#lib/chain/address.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { BURN_PUBKEY, TOKENS_GLOBAL_PUBKEY } from '#lib/chain/cryptocondition.ts';
import { sha256 } from '#lib/chain/hash.ts';
import { encodeWif, publicKeyOf } from '#lib/chain/key.ts';
import { readBurn, readCreate, readTransfer, recipientFault } from './request.ts';

const PRIVATE = sha256(new TextEncoder().encode('somebody'));
const KEY = bytesToHex(publicKeyOf(PRIVATE));
const TOKENID = 'ab'.repeat(32);

const create = (typed: Partial<Parameters<typeof readCreate>[0]> = {}) =>
	readCreate({
		kind: 'fungible',
		name: 'TOK',
		supply: '1',
		decimals: '8',
		description: '',
		data: '',
		...typed
	});
const FUNGIBLE = { decimals: 0, nonFungible: false };
const transfer = (
	typed: { recipient?: string; amount?: string },
	decimals = 0,
	nonFungible = false
) => readTransfer({ recipient: KEY, amount: '1', ...typed }, TOKENID, { decimals, nonFungible });

/** Returns the message at a field; fails when the form is valid, or another field has an error, too. */
function faultAt(field: string, read: ReturnType<typeof create | typeof transfer>): string {
	if (read.ok) throw new Error('nothing was found wrong');
	expect(Object.keys(read.errors)).toEqual([field]);
	const sentence = read.errors[field] ?? '';
	expect(sentence).toMatch(/^[A-Z].*[.]$/);
	return sentence;
}

describe('the form of a creation', () => {
	test('a fungible token is read to the satoshi', () => {
		expect(create({ supply: '1.15', description: 'Shares of a barn' })).toEqual({
			ok: true,
			request: {
				kind: 'token-create',
				name: 'TOK',
				description: 'Shares of a barn',
				supply: 115_000_000n,
				decimals: 8,
				data: ''
			}
		});
	});

	test('a non-fungible token has one unit, whatever the supply field says, and its data in lower case', () => {
		for (const supply of ['', '7', 'nonsense']) {
			expect(create({ kind: 'non-fungible', supply, data: ' F1C0\r\nFF EE ' })).toMatchObject({
				ok: true,
				request: { supply: 1n, data: 'f1c0ffee' }
			});
		}
	});

	test('data of a fungible token is left out', () => {
		expect(create({ data: 'zz' })).toMatchObject({ ok: true, request: { data: '' } });
	});

	test.each(['', 'both', 'constructor'])('the kind %j is none', (kind) => {
		expect(faultAt('kind', create({ kind }))).toContain('kind of token');
	});

	test.each<[string, string]>([
		['', 'Give the token a name'],
		['   ', 'Give the token a name'],
		['x'.repeat(33), '33 bytes; 32'],
		['🦄'.repeat(8) + 'x', '33 bytes; 32'],
		['ß'.repeat(17), '34 bytes; 32'],
		['line\nbreak', 'cannot be seen'],
		['nothing\u0000', 'cannot be seen'],
		['\ufeffTOK', 'cannot be seen'],
		['turned\u202eKOT', 'cannot be seen'],
		['half \ud83e', 'cannot be seen']
	])('the name %j is refused: %s', (name, words) => {
		expect(faultAt('name', create({ name }))).toContain(words);
	});

	test.each(['x'.repeat(32), '🦄'.repeat(8), '👩‍🌾', 'Zwei Wörter', '0'])(
		'the name %j is good',
		(name) => {
			expect(create({ name })).toMatchObject({ ok: true, request: { name } });
		}
	);

	test('a description has at most 4096 bytes, however few characters they are', () => {
		expect(create({ description: '🦄'.repeat(1024) }).ok).toBe(true);
		expect(create({ description: 'First line\r\nsecond line\twith a tab' }).ok).toBe(true);
		const words = '4\u202f097 bytes; 4\u202f096';
		expect(faultAt('description', create({ description: 'd'.repeat(4097) }))).toContain(words);
		const emoji = `${'🦄'.repeat(1024)}x`;
		expect(faultAt('description', create({ description: emoji }))).toContain(words);
	});

	test.each(['\ufeffstarts with a mark', 'half \udd84', 'ends\u0000 early'])(
		'the description %j would be another one on the chain',
		(description) => {
			expect(faultAt('description', create({ description }))).toContain('cannot be written');
		}
	);

	test.each<[string, string]>([
		['', 'Enter an amount'],
		['0', 'more than nothing'],
		['0.00000000', 'more than nothing'],
		['-1', 'in digits'],
		['1e3', 'in digits'],
		['0x10', 'in digits'],
		['1,15', 'without commas'],
		['1.000.000', 'in digits'],
		['0.000000001', '8 decimals'],
		['92233720368.54775808', 'too large'],
		['NaN', 'in digits'],
		['Infinity', 'in digits']
	])('the supply %j is refused: %s', (supply, words) => {
		expect(faultAt('supply', create({ supply }))).toContain(words);
	});

	test('a supply is typed in the units of the token, and without a choice in base units', () => {
		const supplyOf = (supply: string, decimals: string) => create({ supply, decimals });
		expect(supplyOf('1500', '')).toMatchObject({ request: { supply: 1_500n, decimals: 0 } });
		expect(supplyOf('1500', '2')).toMatchObject({ request: { supply: 150_000n, decimals: 2 } });
		expect(supplyOf('15.25', '2')).toMatchObject({ request: { supply: 1_525n, decimals: 2 } });
		expect(faultAt('supply', supplyOf('15.25', '0'))).toContain('no decimals');
	});

	test.each(['9', '-1', '1.5', 'two', '08'])('%j decimals cannot be chosen', (decimals) => {
		expect(faultAt('decimals', create({ decimals }))).toContain('0 to 8');
	});

	test('a supply that the daemon cannot read exactly is refused before it is asked', () => {
		expect(faultAt('supply', create({ supply: '92233720368.54775807' }))).toContain('exactly');
	});

	test.each<[string, string]>([
		['', 'needs data'],
		['f', 'even number'],
		['f1a', 'even number'],
		['xyzz', 'even number'],
		['f1'.repeat(10_002), 'payload holds'],
		...['00', 'f2', 'e3', 'f7', '01', 'ff', 'e2'].map((code): [string, string] => [
			`${code}c0ffee`,
			'never move'
		])
	])('the data %.12s is refused: %s', (data, words) => {
		expect(faultAt('data', create({ kind: 'non-fungible', data }))).toContain(words);
	});

	test.each(['f1', 'f3', 'f1c0ffee', 'f3'.repeat(10_001)])('the data %.12s is good', (data) => {
		expect(create({ kind: 'non-fungible', data }).ok).toBe(true);
	});

	test('all mistakes are found at once, each at its field', () => {
		const read = create({ kind: 'non-fungible', name: '', description: 'd'.repeat(5000) });
		expect(read).toMatchObject({ ok: false });
		if (!read.ok) expect(Object.keys(read.errors).sort()).toEqual(['data', 'description', 'name']);
	});
});

describe('the recipient of a transfer', () => {
	test('a key is read in any case and with space around it', () => {
		const request = { kind: 'token-transfer', tokenid: TOKENID, recipient: KEY, units: 1n };
		for (const recipient of [KEY, KEY.toUpperCase(), `  ${KEY}\n`]) {
			expect(transfer({ recipient })).toEqual({ ok: true, request });
		}
	});

	const hash = new Uint8Array(20).fill(7);
	test.each<[string, string, string]>([
		['nothing', '', 'Enter the public key'],
		['an address', addressOfPubkey(KEY), 'This is an address'],
		['a script address', encodeAddress(hash, SCRIPT_ADDRESS_VERSION), 'This is an address'],
		['an address of another network', encodeAddress(hash, 0), '66 hexadecimal digits'],
		['an odd number of digits', KEY.slice(0, -1), '66 hexadecimal digits'],
		['one byte too few', KEY.slice(0, -2), '66 hexadecimal digits'],
		['one byte too many', `${KEY}00`, '66 hexadecimal digits'],
		['an uncompressed key', `04${'ab'.repeat(64)}`, '66 hexadecimal digits'],
		['a digit that is none', `${KEY.slice(0, -1)}g`, '66 hexadecimal digits'],
		['a prefix before the key', `0x${KEY}`, '66 hexadecimal digits'],
		['an unknown first byte', `05${KEY.slice(2)}`, 'not a public key'],
		['a point off the curve', `02${'ff'.repeat(32)}`, 'not a public key'],
		['nothing but zeros', '00'.repeat(33), 'not a public key'],
		['the burn key', bytesToHex(BURN_PUBKEY), 'burn key'],
		['the burn key in upper case', bytesToHex(BURN_PUBKEY).toUpperCase(), 'burn key'],
		["the token module's key", bytesToHex(TOKENS_GLOBAL_PUBKEY), 'token module'],
		['a name', 'ada', '66 hexadecimal digits']
	])('%s is refused', (_what, recipient, words) => {
		expect(faultAt('recipient', transfer({ recipient }))).toContain(words);
	});

	test('a private key is never repeated in the sentence', () => {
		const wif = encodeWif(PRIVATE);
		expect(recipientFault(wif)).not.toContain(wif);
	});

	test('a key that differs in one digit is mostly off the curve; the other point is a key of somebody else', () => {
		expect(recipientFault(KEY)).toBeNull();
		expect(recipientFault(`${KEY.startsWith('02') ? '03' : '02'}${KEY.slice(2)}`)).toBeNull();
	});
});

describe('the amount of a transfer', () => {
	test('wholes are read with the decimals of the token', () => {
		expect(transfer({ amount: '12.5' }, 2)).toMatchObject({ ok: true, request: { units: 1250n } });
	});

	test.each(['', '0', '-1', '1.9', '1e1', '1,5', '9223372036854775808'])(
		'%j units are refused at the field',
		(amount) => {
			faultAt('amount', transfer({ amount }));
		}
	);
});

test('a non-fungible token moves as one unit, whatever its decimals, and no amount is asked or read', () => {
	for (const amount of ['', '7', 'many', '0.01']) {
		expect(transfer({ amount }, 2, true)).toMatchObject({ ok: true, request: { units: 1n } });
		const token = { tokenid: TOKENID, name: 'BERTH' };
		const measure = { decimals: 2, nonFungible: true };
		expect(readBurn({ amount, confirmation: 'BERTH' }, token, measure)).toMatchObject({
			ok: true,
			request: { units: 1n }
		});
	}
	expect(create({ kind: 'non-fungible', supply: '5', data: 'f300' })).toMatchObject({
		ok: true,
		request: { supply: 1n }
	});
});

describe('the form of a burn', () => {
	const token = { tokenid: TOKENID, name: 'My Token' };
	const burn = (confirmation: string, amount = '5') =>
		readBurn({ amount, confirmation }, token, FUNGIBLE);

	test('with the name typed it goes to the burn key', () => {
		expect(burn(' My Token ')).toEqual({
			ok: true,
			request: {
				kind: 'token-burn',
				tokenid: TOKENID,
				recipient: bytesToHex(BURN_PUBKEY),
				units: 5n
			}
		});
	});

	test.each(['', ' ', 'my token', 'My', 'yes', 'My Token!'])(
		'%j does not confirm it',
		(confirmation) => {
			expect(faultAt('confirmation', burn(confirmation))).toContain('My Token');
		}
	);

	test('a token without a visible name is confirmed by its id', () => {
		const nameless = { tokenid: TOKENID, name: ' ' };
		const read = (confirmation: string) =>
			readBurn({ amount: '1', confirmation }, nameless, FUNGIBLE);
		expect(faultAt('confirmation', read(''))).toContain(TOKENID);
		expect(read(TOKENID).ok).toBe(true);
	});

	test('a name that hides something is confirmed as the page shows it, or as it is', () => {
		const hiding = { tokenid: TOKENID, name: '\u202egnp.exe' };
		const read = (confirmation: string) =>
			readBurn({ amount: '1', confirmation }, hiding, FUNGIBLE);
		expect(faultAt('confirmation', read('gnp.exe'))).toContain('‹U+202E›gnp.exe');
		expect(read('‹U+202E›gnp.exe').ok).toBe(true);
		expect(read('\u202egnp.exe').ok).toBe(true);
	});

	test('the amount is read like that of a transfer', () => {
		faultAt('amount', burn('My Token', '1.9'));
	});
});
