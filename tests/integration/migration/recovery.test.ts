import { beforeAll, expect, test } from 'vitest';
import { decodeAddress, encodeAddress, SCRIPT_ADDRESS_VERSION } from '#lib/chain/address.ts';
import { parseBurn, serializePayouts } from '#lib/chain/burn.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { publicKeyOf } from '#lib/chain/key.ts';
import { p2pk, p2pkh, p2sh } from '#lib/chain/script.ts';
import { parseTransaction, serializeTransaction, type TxOut } from '#lib/chain/transaction.ts';
import { createAudit } from '#lib/server/access/audit/audit.ts';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { readRecoveryFile } from '#lib/server/cross-chain/migration/readRecoveryFile.ts';
import { writeRecoveryFile } from '#lib/server/cross-chain/migration/recoveryFile.ts';
import { pendingBurns } from '#lib/server/cross-chain/transfers/pendingBurns.ts';
import { createAddressBook } from '#lib/server/wallet/address-book/addressBook.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { startAlteringProxy } from './alteringProxy.ts';
import {
	addApprover,
	addressOn,
	burnElsewhere,
	burnsOf,
	carry,
	draftedBurn,
	gatewayTo,
	importsOf,
	migrationsOver,
	placesOf,
	round
} from './support.ts';
import { shared } from '../../support/shared.ts';

const SEND = 'sendrawtransaction';

describeOnBothDatabases('a burn that is on its chain already', (database) => {
	let to: string;
	const net = shared(() => startDevnet());
	const proxy = shared(() => startAlteringProxy(net.chains.get('ALPHA')!));
	const gateway = shared(() => gatewayTo(placesOf(net, { ALPHA: proxy.url })));
	const migrations = shared(() => migrationsOver(database.db, gateway));
	beforeAll(async () => {
		to = await addressOn(net, 'BETA');
	});

	async function drafted(amount: string): Promise<{ id: string; hex: string }> {
		const id = await draftedBurn(migrations, { address: to, amount });
		const { hex } = (await migrations.get(id))!.steps.get('burn')!;
		return { id, hex: hex! };
	}

	test.each([
		['waits for a block', 0],
		['is in a block', 1]
	])('and %s is taken up by confirming its draft, and not made again', async (_, blocks) => {
		const { id, hex } = await drafted(blocks === 0 ? '1.5' : '1.6');
		const txid = await net.rpc<string>('ALPHA', SEND, hex);
		if (blocks > 0) await net.control.mine('ALPHA', blocks);
		const burns = await burnsOf(net, 'ALPHA');
		const sends = proxy.count(SEND);
		expect(await migrations.confirm(id, 'ada', null)).toEqual({ kind: 'confirmed' });
		const { row, events } = (await migrations.get(id))!;
		expect(row).toMatchObject({ state: 'burn-unknown', burn_txid: txid });
		expect(events.at(-1)!.message.code).toBe('burn.found');
		expect(await carry(net, migrations, id)).toBe('done');
		expect(proxy.count(SEND)).toBe(sends);
		expect(await burnsOf(net, 'ALPHA')).toEqual(burns);
	});

	test.each([true, false])(
		'built anew is found by what spends its inputs (with an index of spent outputs: %s)',
		async (indexed) => {
			const amount = indexed ? '1.7' : '1.8';
			const { id, hex } = await drafted(amount);
			await net.control.mine('ALPHA');
			const again = await net.rpc<{ BurnTxHex: string }>(
				'ALPHA',
				'migrate_createburntransaction',
				'BETA',
				to,
				amount
			);
			expect(again.BurnTxHex).not.toBe(hex);
			const txid = await net.rpc<string>('ALPHA', SEND, again.BurnTxHex);
			await net.control.mine('ALPHA');
			if (!indexed) {
				const message = 'Unable to get spent info';
				proxy.refuse('getspentinfo', { code: -5, message }, 'unheard');
			}
			const burns = await burnsOf(net, 'ALPHA');
			expect(await migrations.confirm(id, 'ada', null)).toEqual({ kind: 'confirmed' });
			proxy.refuse('getspentinfo', null);
			expect((await migrations.get(id))!.row).toMatchObject({ burn_txid: txid });
			expect(await carry(net, migrations, id)).toBe('done');
			expect(await burnsOf(net, 'ALPHA')).toEqual(burns);
		}
	);

	async function burned(address: string, amount: string): Promise<string> {
		const txid = await burnElsewhere(net, address, amount);
		await round(net);
		return txid;
	}

	/** Recovers a burn by its txid alone, without data of earlier migrations. */
	async function recovered(txid: string): Promise<string> {
		await database.db.deleteFrom('migrations').execute();
		const opened = await migrations.openByBurn(txid, 'ALPHA', 'grace');
		if (opened.kind !== 'opened') return opened.fault.code;
		return (await migrations.get(opened.id))!.row.address;
	}

	test('goes on with the daemons of today when those that it began with are renamed', async () => {
		const { id } = await drafted('1.9');
		await migrations.confirm(id, 'ada', null);
		await migrations.advance(id);
		const { burn_txid: txid } = (await migrations.get(id))!.row;
		const places = placesOf(net).map((place) => ({ ...place, id: `${place.id}-new` }));
		const renamed = gatewayTo(places);
		try {
			const over = migrationsOver(database.db, renamed);
			expect(await over.openByBurn(txid!, 'ALPHA', 'grace')).toEqual({ kind: 'opened', id });
			expect((await over.get(id))!.row).toMatchObject({
				source_daemon: 'ALPHA-new',
				destination_daemon: 'BETA-new',
				kmd_daemon: 'KMD-new'
			});
			expect(await carry(net, over, id)).toBe('done');
		} finally {
			await renamed.close();
		}
	});

	test('is offered and recovered while it is in the mempool', async () => {
		const txid = await burnElsewhere(net, to, '0.3');
		await gateway.probe();
		const shown = (account: unknown) =>
			pendingBurns(new PageClient(gateway, 'test'), { app: database, account });
		const burn = { source: 'ALPHA', target: 'BETA', txid, value: 30_010_000n, tokenid: null };
		const reads = proxy.count('getrawtransaction');
		expect(await shown('grace')).toEqual([{ ...burn, migration: null }]);
		const once = proxy.count('getrawtransaction') - reads;
		// Later or simultaneous lookups cost the daemon no further transaction.
		await Promise.all([shown(null), shown('grace'), shown(null)]);
		expect(proxy.count('getrawtransaction') - reads).toBe(once);
		const opened = await migrations.openByBurn(txid, 'ALPHA', 'grace');
		if (opened.kind !== 'opened') throw new Error(opened.fault.code);
		expect(await shown('grace')).toEqual([{ ...burn, migration: opened.id }]);
		expect(await shown(null)).toEqual([{ ...burn, migration: null }]);
		expect(await carry(net, migrations, opened.id)).toBe('needs-approval');
		expect(await migrations.approveStep(opened.id, await addApprover(database.db))).toBe(
			'approved'
		);
		expect(await carry(net, migrations, opened.id)).toBe('done');
		expect(await shown('grace')).toEqual([]);
	});

	test('is recovered by its txid alone when it pays the wallet of the destination', async () => {
		expect(await recovered(await burned(to, '0.31'))).toBe(to);
	});

	test('is recovered by its txid alone when it pays somebody of the address book', async () => {
		const friend = 'RXL3YXG2ceaB6C5hfJcN4fvmLH2C34knhA';
		const txid = await burned(friend, '0.32');
		expect(await recovered(txid)).toBe('recipient-unknown');
		const book = createAddressBook(database.db, createAudit(database.db, new Uint8Array(32)));
		const entry = { kind: 'address', value: friend, chain: '', label: 'Friend', note: '' };
		expect(await book.add(entry, ['ALPHA'], 'ada')).toMatchObject({ ok: true });
		expect(await recovered(txid)).toBe(friend);
	});

	test('that is old is recovered in a moment, and its import is looked for before anybody is asked', async () => {
		const txid = await burned(to, '0.33');
		await net.control.mine('BETA', 510);
		const opened = async (over = migrations): Promise<string> => {
			const { kind, ...more } = await over.openByBurn(txid, 'ALPHA', 'grace');
			if (kind !== 'opened' || !('id' in more)) throw new Error(JSON.stringify(more));
			return more.id;
		};
		const stateOf = async (id: string) => (await migrations.get(id))!.row.state;
		const first = await opened();
		expect(await stateOf(first)).toBe('import-unknown');
		expect(await carry(net, migrations, first)).toBe('needs-approval');
		expect((await migrations.get(first))!.events.map(({ message }) => message.code)).not.toContain(
			'import.gone'
		);
		expect(await migrations.approveStep(first, await addApprover(database.db))).toBe('approved');
		expect(await carry(net, migrations, first)).toBe('done');
		await database.db.deleteFrom('migrations').execute();
		let read = 0;
		const counting = migrationsOver(database.db, {
			...gateway,
			call(daemon, method, params, options) {
				if (method === 'getimports') read += 1;
				return gateway.call(daemon, method, params, options);
			}
		});
		const second = await opened(counting);
		expect(read).toBeLessThanOrEqual(500);
		expect(await carry(net, migrations, second)).toBe('done');
		expect(await importsOf(net, 'BETA', txid)).toHaveLength(1);
	});

	/**
	 * Burns by hand, with a transaction that pays these outputs.
	 * @param more satoshi that it burns in addition
	 */
	async function exported(
		vout: readonly TxOut[],
		more = 0n
	): Promise<{ txid: string; payouts: string }> {
		const empty = await net.rpc<string>('ALPHA', 'createrawtransaction', [], { [to]: 1 });
		const hex = bytesToHex(serializeTransaction({ ...parseTransaction(empty), vout: [...vout] }));
		const { exportTx, payouts } = await net.rpc<{ exportTx: string; payouts: string }>(
			'ALPHA',
			'migrate_converttoexport',
			hex,
			'BETA'
		);
		const tx = parseTransaction(exportTx);
		const burning = tx.vout.map((output) => ({ ...output, value: output.value + more }));
		const burn = bytesToHex(serializeTransaction({ ...tx, vout: burning }));
		let funded: { hex: string };
		do {
			funded = await net.rpc('ALPHA', 'fundrawtransaction', burn);
		} while (parseBurn(parseTransaction(funded.hex)) === null);
		const signed = await net.rpc<{ hex: string }>('ALPHA', 'signrawtransaction', funded.hex);
		const txid = await net.rpc<string>('ALPHA', SEND, signed.hex, true);
		await round(net);
		return { txid, payouts };
	}

	const key = publicKeyOf(Uint8Array.from({ length: 32 }, () => 7));
	const toKey = (value: bigint): TxOut => ({ value, script: p2pk(key) });
	const script = encodeAddress(new Uint8Array(20).fill(9), SCRIPT_ADDRESS_VERSION);
	const toScript = (value: bigint): TxOut => ({ value, script: p2sh(new Uint8Array(20).fill(9)) });
	const toAddress = (value: bigint): TxOut => ({ value, script: p2pkh(decodeAddress(to).hash) });

	test.each([
		['a script address', () => toScript(41_000_000n), () => script],
		['a public key', () => toKey(42_000_000n), () => bytesToHex(key)]
	])('is recovered by its one recipient, %s', async (_, output, recipient) => {
		const { txid } = await exported([output()]);
		expect(await recovered(txid)).toBe('recipient-unknown');
		const opened = await migrations.openByBurn(txid, 'ALPHA', 'grace', { recipient: recipient() });
		expect(opened.kind).toBe('opened');
	});

	test('that burns other coins than it pays is told apart from one that waits: no chain takes its import', async () => {
		for (const more of [1n, -10_001n]) {
			const { txid, payouts } = await exported([toAddress(14_000_000n)], more);
			const opened = await migrations.openByBurn(txid, 'ALPHA', 'grace', { payouts });
			const id = opened.kind === 'opened' ? opened.id : '';
			// More often than a daemon is asked that ends over a build.
			for (let n = 0; n < 6; n++) {
				await round(net);
				await migrations.advance(id);
			}
			expect((await migrations.get(id))!.row.reason).toMatchObject({
				code: 'review.failed',
				params: { error: { code: 'review.import-wrong-value' } }
			});
		}
	});

	test('with several recipients is recovered by its payouts, and by no others', async () => {
		const outputs = [toAddress(11_000_000n), toScript(12_000_000n), toKey(13_000_000n)];
		const { txid, payouts } = await exported(outputs);
		expect(await recovered(txid)).toBe('recipient-unknown');
		const other = bytesToHex(serializePayouts([...outputs].reverse()));
		for (const wrong of [other, payouts.slice(2), 'ff', `${payouts}00`, '00'.repeat(200_001)]) {
			const tried = await migrations.openByBurn(txid, 'ALPHA', 'grace', { payouts: wrong });
			expect(tried).toMatchObject({ fault: { code: 'other-payouts' } });
		}
		const opened = await migrations.openByBurn(txid, 'ALPHA', 'grace', { payouts });
		if (opened.kind !== 'opened') throw new Error(opened.fault.code);
		const record = (await migrations.get(opened.id))!;
		expect(record.row).toMatchObject({ payouts, amount: 36_000_000n });

		// A fresh installation has only the file.
		await database.db.deleteFrom('migrations').execute();
		const read = readRecoveryFile(writeRecoveryFile(record), ['ALPHA', 'BETA', 'KMD']);
		if (!read.ok) throw new Error(read.fault.code);
		const { hint } = read;
		expect(hint).toMatchObject({ txid, payouts });
		const again = await migrations.openByBurn(hint.txid, hint.chain, 'grace', {
			recipient: hint.address,
			payouts: hint.payouts
		});
		if (again.kind !== 'opened') throw new Error(again.fault.code);
		expect(await carry(net, migrations, again.id)).toBe('needs-approval');
		expect(await migrations.approveStep(again.id, await addApprover(database.db))).toBe('approved');
		expect(await carry(net, migrations, again.id)).toBe('done');
		const [imported] = await importsOf(net, 'BETA', txid);
		const tx = parseTransaction(await net.rpc<string>('BETA', 'getrawtransaction', imported));
		expect(bytesToHex(serializePayouts(tx.vout))).toContain(payouts.slice(2));
	});
});
