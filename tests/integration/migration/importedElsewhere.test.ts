/**
 * An import that was sent outside Komodeck while a migration waits for its proof, for approvals or for a
 * member.
 */
import { beforeAll, expect, test } from 'vitest';
import { openIndex } from '#lib/server/chains/indexer/open.ts';
import type { Migrations } from '#lib/server/cross-chain/migration/createMigrations.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { followDaemon } from '../indexer/support.ts';
import { addressOn, draftedBurn, gatewayTo, migrationsOver, placesOf, round } from './support.ts';
import { shared } from '../../support/shared.ts';

describeOnBothDatabases('an import that somebody else sent', (database) => {
	const net = shared(() => startDevnet());
	const gateway = shared(() => gatewayTo(placesOf(net)));
	const index = shared(() => openIndex(database.options));
	let migrations: Migrations;
	let to: string;
	const errors: unknown[] = [];
	beforeAll(async () => {
		const onError = (error: unknown) => void errors.push(error);
		migrations = migrationsOver(database.db, gateway, { index, onError });
		to = await addressOn(net, 'BETA');
	});

	/** A confirmed burn whose migration waits for notarizations. */
	async function burned(amount: string): Promise<string> {
		const id = await draftedBurn(migrations, { address: to, amount, policy: 'ask' });
		await migrations.confirm(id, 'ada', null);
		await migrations.advance(id);
		await net.control.mine('ALPHA');
		await migrations.advance(id);
		return id;
	}

	const rowOf = async (id: string) => (await migrations.get(id))!.row;

	/**
	 * Imports the burn with the daemons' command lines.
	 * @returns the txid of the import
	 */
	async function importByHand(id: string): Promise<string> {
		const { row, steps } = (await migrations.get(id))!;
		for (let n = 0; n < 3; n++) await round(net);
		const { ImportTxHex: first } = await net.rpc<{ ImportTxHex: string }>(
			'ALPHA',
			'migrate_createimporttransaction',
			steps.get('burn')!.hex,
			row.payouts
		);
		const { ImportTxHex: whole } = await net.rpc<{ ImportTxHex: string }>(
			'KMD',
			'migrate_completeimporttransaction',
			first
		);
		const txid = await net.rpc<string>('BETA', 'sendrawtransaction', whole);
		await net.control.mine('BETA');
		return txid;
	}

	test('ends the wait for approvals, and is watched like any other', async () => {
		const id = await burned('0.41');
		expect(await migrations.publish(id, 'ada')).toBe(true);
		await migrations.advance(id);
		const txid = await importByHand(id);
		await migrations.advance(id);
		// The index has not reported it yet.
		expect((await rowOf(id)).state).toBe('backup-collecting');
		await followDaemon(index, gateway, 'BETA');
		await migrations.advance(id);
		expect((await rowOf(id)).state).toBe('done');
		const { steps } = (await migrations.get(id))!;
		expect(steps.get('import-confirmed')).toMatchObject({ txid });
		// After a reorganization it is looked for like an import of our own.
		await net.control.reorg('BETA', 1, true, true);
		await migrations.advance(id);
		expect((await rowOf(id)).state).not.toBe('done');
	});

	test('leaves nobody asked for a word', async () => {
		const id = await burned('0.42');
		for (let n = 0; n < 4 && (await rowOf(id)).state !== 'needs-approval'; n++) {
			await round(net);
			await migrations.advance(id);
		}
		expect((await rowOf(id)).state).toBe('needs-approval');
		const { hex } = (await migrations.get(id))!.steps.get('completion')!;
		await net.rpc('BETA', 'sendrawtransaction', hex);
		await net.control.mine('BETA');
		await followDaemon(index, gateway, 'BETA');
		await migrations.advance(id);
		expect((await rowOf(id)).state).toBe('done');
	});

	test('is not believed of an index whose block the daemon does not have any more', async () => {
		const id = await burned('0.43');
		await migrations.publish(id, 'ada');
		await importByHand(id);
		await followDaemon(index, gateway, 'BETA');
		await net.control.reorg('BETA', 1, true, true);
		await migrations.advance(id);
		expect((await rowOf(id)).state).toBe('backup-collecting');
		expect(errors).toEqual([]);
	});
});
