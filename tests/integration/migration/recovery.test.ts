import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAudit } from '#lib/server/access/audit/audit.ts';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import type { Migrations } from '#lib/server/cross-chain/migration/createMigrations.ts';
import { pendingBurns } from '#lib/server/cross-chain/transfers/pendingBurns.ts';
import { createAddressBook } from '#lib/server/wallet/address-book/addressBook.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet, type Devnet } from '../../support/devnet.ts';
import { startAlteringProxy, type AlteringProxy } from './alteringProxy.ts';
import {
	addressOn,
	burnsOf,
	carry,
	gatewayTo,
	migrationsOver,
	placesOf,
	round
} from './support.ts';

const SEND = 'sendrawtransaction';

describeOnBothDatabases('a burn that is on its chain already', (database) => {
	let net: Devnet;
	let proxy: AlteringProxy;
	let gateway: Gateway;
	let migrations: Migrations;
	let to: string;
	beforeAll(async () => {
		net = await startDevnet();
		proxy = await startAlteringProxy(net.chains.get('ALPHA')!);
		gateway = gatewayTo(placesOf(net, { ALPHA: proxy.url }));
		migrations = migrationsOver(database.db, gateway);
		to = await addressOn(net, 'BETA');
	});
	afterAll(async () => {
		await gateway.close();
		await proxy.stop();
		await net.stop();
	});

	async function drafted(amount: string): Promise<{ id: string; hex: string }> {
		const made = await migrations.draft(
			{ source: 'ALPHA', destination: 'BETA', address: to, amount, policy: 'automatic' },
			'ada'
		);
		if (made.kind !== 'drafted') throw new Error(`not drafted: ${JSON.stringify(made)}`);
		const { hex } = (await migrations.get(made.id))!.steps.get('burn')!;
		return { id: made.id, hex: hex! };
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
		expect(await migrations.confirm(id, 'ada')).toEqual({ kind: 'confirmed' });
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
			expect(await migrations.confirm(id, 'ada')).toEqual({ kind: 'confirmed' });
			proxy.refuse('getspentinfo', null);
			expect((await migrations.get(id))!.row).toMatchObject({ burn_txid: txid });
			expect(await carry(net, migrations, id)).toBe('done');
			expect(await burnsOf(net, 'ALPHA')).toEqual(burns);
		}
	);

	async function burned(address: string, amount: string): Promise<string> {
		const { BurnTxHex } = await net.rpc<{ BurnTxHex: string }>(
			'ALPHA',
			'migrate_createburntransaction',
			'BETA',
			address,
			amount
		);
		const txid = await net.rpc<string>('ALPHA', SEND, BurnTxHex);
		await round(net);
		return txid;
	}

	/** Opens a burn by its txid alone, with nothing of earlier migrations to help. */
	async function recovered(txid: string): Promise<string> {
		await database.db.deleteFrom('migrations').execute();
		const opened = await migrations.openByBurn(txid, 'ALPHA', 'grace');
		if (opened.kind !== 'opened') return opened.sentence;
		return (await migrations.get(opened.id))!.row.address;
	}

	test('is offered and recovered while it is in the mempool', async () => {
		const { BurnTxHex } = await net.rpc<{ BurnTxHex: string }>(
			'ALPHA',
			'migrate_createburntransaction',
			'BETA',
			to,
			'0.3'
		);
		const txid = await net.rpc<string>('ALPHA', SEND, BurnTxHex);
		await gateway.probe();
		const shown = (account: unknown) =>
			pendingBurns(new PageClient(gateway, 'test'), { app: database, account });
		const burn = { source: 'ALPHA', target: 'BETA', txid, value: 30_010_000n, tokenid: null };
		const reads = proxy.count('getrawtransaction');
		expect(await shown('grace')).toEqual([{ ...burn, migration: null }]);
		const once = proxy.count('getrawtransaction') - reads;
		// Whoever looks later, or at the same time, costs the daemon no further transaction.
		await Promise.all([shown(null), shown('grace'), shown(null)]);
		expect(proxy.count('getrawtransaction') - reads).toBe(once);
		const opened = await migrations.openByBurn(txid, 'ALPHA', 'grace');
		if (opened.kind !== 'opened') throw new Error(opened.sentence);
		expect(await shown('grace')).toEqual([{ ...burn, migration: opened.id }]);
		expect(await shown(null)).toEqual([{ ...burn, migration: null }]);
		expect(await carry(net, migrations, opened.id)).toBe('needs-approval');
		expect(await migrations.approveStep(opened.id, 'grace')).toBe('approved');
		expect(await carry(net, migrations, opened.id)).toBe('done');
		expect(await shown('grace')).toEqual([]);
	});

	test('is recovered by its txid alone when it pays the wallet of the destination', async () => {
		expect(await recovered(await burned(to, '0.31'))).toBe(to);
	});

	test('is recovered by its txid alone when it pays somebody of the address book', async () => {
		const friend = 'RXL3YXG2ceaB6C5hfJcN4fvmLH2C34knhA';
		const txid = await burned(friend, '0.32');
		expect(await recovered(txid)).toMatch(/Enter the address/);
		const book = createAddressBook(database.db, createAudit(database.db, new Uint8Array(32)));
		const entry = { kind: 'address', value: friend, chain: '', label: 'Friend', note: '' };
		expect(await book.add(entry, ['ALPHA'], 'ada')).toMatchObject({ ok: true });
		expect(await recovered(txid)).toBe(friend);
	});
});
