import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { openDatabase } from '#lib/server/database.ts';
import { command } from '../../support/commandLine.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { authOver } from '../../support/members.ts';
import { shared } from '../../support/shared.ts';
import { startAlteringProxy } from './alteringProxy.ts';
import {
	addressOn,
	burnElsewhere,
	burnsOf,
	carry,
	draftedBurn,
	gatewayTo,
	migrationsOver,
	placesOf
} from './support.ts';

interface Unspent {
	txid: string;
	vout: number;
	amount: number;
	spendable: boolean;
}

const folder = mkdtempSync(join(tmpdir(), 'komodeck-restored-'));
afterAll(() => rmSync(folder, { recursive: true }));

describeOnBothDatabases('migrations that a backup brings back', (database) => {
	const net = shared(() => startDevnet());
	const proxy = shared(() => startAlteringProxy(net.chains.get('ALPHA')!));
	const gateway = shared(() => gatewayTo(placesOf(net, { ALPHA: proxy.url })));

	test('whose burn went out after it are discarded by nobody, and go on', async () => {
		const { audit } = await authOver(database);
		const migrations = migrationsOver(database.db, gateway, { audit });
		const draft = async (amount: string): Promise<string> =>
			draftedBurn(migrations, { address: await addressOn(net, 'BETA'), amount });
		const [confirmed, discarded] = [await draft('0.61'), await draft('0.62')];
		const unsent = await draft('0.63');
		const file = join(folder, `backup-${database.dialect}`);
		const { dataDir, options } = database;
		await command({ dataDir, url: options.url }, ['backup', file]);
		for (const id of [confirmed, discarded]) {
			expect((await migrations.confirm(id, 'ada', null)).kind).toBe('confirmed');
			await migrations.advance(id);
		}
		const burns = await burnsOf(net, 'ALPHA');

		const there = mkdtempSync(join(folder, 'there-'));
		copyFileSync(join(dataDir, 'secret.key'), join(there, 'secret.key'));
		const { code, out } = await command({ dataDir: there }, ['restore', file]);
		expect(code).toBe(0);
		expect(out).toMatch(/burn may have been sent after the backup: 3\b/);
		const restored = await openDatabase({ dataDir: there });
		const known = await authOver({ db: restored, dataDir: there });
		const after = migrationsOver(restored, gateway, { audit: known.audit });
		const rowOf = async (id: string) => (await after.get(id))!.row;
		for (const id of [confirmed, discarded, unsent]) {
			expect(await rowOf(id)).toMatchObject({
				state: 'preflight-failed',
				reason: { code: 'burn.restored' }
			});
		}
		await net.control.fault('ALPHA', 'down');
		await expect(after.discard(discarded, 'ada')).rejects.toMatchObject({
			code: 'transaction.not-built',
			params: { certain: 'not-discarded' }
		});
		await net.control.fault('ALPHA', 'none');
		expect(await after.discard(discarded, 'ada')).toBe(false);
		expect((await after.confirm(confirmed, 'ada', null)).kind).toBe('confirmed');
		for (const id of [confirmed, discarded]) expect(await carry(net, after, id)).toBe('done');
		expect(await burnsOf(net, 'ALPHA')).toEqual(burns);

		// A daemon that has not read all blocks cannot say whether one of them holds it.
		proxy.alter('getinfo', (info) => ({ ...info, longestchain: 9_999, tiptime: 1_600_000_000 }));
		// Neither a refused confirmation nor inputs that are not there yet make it an ordinary draft.
		proxy.refuse('listunspent', { code: -1, message: 'not now' });
		expect(await after.confirm(unsent, 'ada', null)).toMatchObject({ kind: 'refused' });
		proxy.refuse('listunspent', null);
		expect((await rowOf(unsent)).reason).toMatchObject({ code: 'burn.restored' });
		const { burn_txid } = await rowOf(unsent);
		proxy.alter('gettxout', () => null as unknown as Record<string, unknown>);
		expect(await after.confirm(unsent, 'ada', null)).toMatchObject({ kind: 'refused' });
		proxy.alter('gettxout', null);
		expect(await rowOf(unsent)).toMatchObject({ burn_txid, reason: { code: 'burn.restored' } });
		await expect(after.discard(unsent, 'ada')).rejects.toMatchObject({
			params: { certain: 'not-discarded', why: { code: 'daemon.syncing' } }
		});
		proxy.alter('getinfo', null);
		proxy.alter('gettxout', () => null as unknown as Record<string, unknown>);
		expect(await after.confirm(unsent, 'ada', null)).toMatchObject({ kind: 'rebuilt' });
		proxy.alter('gettxout', null);
		expect(await after.discard(unsent, 'ada')).toBe(true);
		expect((await rowOf(unsent)).state).toBe('discarded');
		await restored.close();
	});

	test('whose burn was built again after it, from other outputs, are not burned a second time', async () => {
		const { audit } = await authOver(database);
		const migrations = migrationsOver(database.db, gateway, { audit });
		const address = await addressOn(net, 'BETA');
		const id = await draftedBurn(migrations, { address, amount: '0.71' });
		const file = join(folder, `rebuilt-${database.dialect}`);
		const { dataDir, options } = database;
		await command({ dataDir, url: options.url }, ['backup', file]);
		// Spends all outputs, those of the draft too.
		const own = addressOfPubkey(net.chains.get('ALPHA')!.pubkey);
		const all = (await net.rpc<Unspent[]>('ALPHA', 'listunspent')).filter((one) => one.spendable);
		const total = all.reduce((sum, { amount }) => sum + amount, 0);
		const joined = { [own]: (total - 0.001).toFixed(8) };
		const unsigned = await net.rpc<string>('ALPHA', 'createrawtransaction', all, joined);
		const { hex } = await net.rpc<{ hex: string }>('ALPHA', 'signrawtransaction', unsigned);
		await net.rpc('ALPHA', 'sendrawtransaction', hex);
		await net.control.mine('ALPHA');
		expect(await migrations.confirm(id, 'ada', null)).toEqual({ kind: 'rebuilt' });
		expect(await migrations.confirm(id, 'ada', null)).toEqual({ kind: 'confirmed' });
		await migrations.advance(id);
		await net.control.mine('ALPHA');
		// Its wallet burns often.
		for (let n = 0; n < 110; n += 1) {
			await burnElsewhere(net, address, '0.0001');
			if (n % 10 === 9) await net.control.mine('ALPHA');
		}
		const burns = await burnsOf(net, 'ALPHA');

		for (const act of ['confirm', 'discard'] as const) {
			const there = mkdtempSync(join(folder, 'there-'));
			copyFileSync(join(dataDir, 'secret.key'), join(there, 'secret.key'));
			expect((await command({ dataDir: there }, ['restore', file])).code).toBe(0);
			const restored = await openDatabase({ dataDir: there });
			const known = await authOver({ db: restored, dataDir: there });
			const after = migrationsOver(restored, gateway, { audit: known.audit });
			const done = await (act === 'confirm'
				? after.confirm(id, 'ada', null)
				: after.discard(id, 'ada'));
			expect(done).toEqual(act === 'confirm' ? { kind: 'confirmed' } : false);
			expect((await after.get(id))!.row.state).toBe('burn-unknown');
			if (act === 'discard') expect(await carry(net, after, id)).toBe('done');
			await restored.close();
		}
		expect(await burnsOf(net, 'ALPHA')).toEqual(burns);
	});
});
