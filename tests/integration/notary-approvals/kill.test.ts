import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { describeOnBothDatabases, type TestDatabase } from '../../support/database.ts';
import { startDevnet, type Devnet } from '../../support/devnet.ts';
import { forkBundled } from '../../support/forkBundled.ts';
import type { Order, Report } from '../migration/engineProcess.ts';
import { placesOf } from '../migration/support.ts';
import {
	approveBy,
	gatewayToAll,
	giveFromOutside,
	importsOf,
	NOTARIES,
	publishedBurn,
	roomOver
} from './support.ts';
import { shared } from '../../support/shared.ts';

const PROCESS = fileURLToPath(new URL('../migration/engineProcess.ts', import.meta.url));
/** More than the number of writes between five approvals and the end. */
const MOST_WRITES = 20;
const HOUR = 3_600_000;

/**
 * Runs the engine's process until it dies or the coins have arrived.
 * @returns which
 */
async function runUntilDead(net: Devnet, order: Order): Promise<'killed' | 'done'> {
	const child = await forkBundled(PROCESS, order);
	return new Promise((resolve, reject) => {
		let done = false;
		child.once('exit', (code, signal) => {
			if (signal === 'SIGKILL') resolve('killed');
			else if (done) resolve('done');
			else reject(new Error(`the engine's process ended with ${code}`));
		});
		child.on('message', (report: Report) => {
			if (report.state === 'done') {
				done = true;
				child.disconnect();
				return;
			}
			net.control.mine('BETA').then(() => {
				if (child.connected) child.send('go');
			}, reject);
		});
	});
}

describeOnBothDatabases('the backup route under kills and haste', (database: TestDatabase) => {
	const net = shared(() => startDevnet());
	const gateway = shared(() => gatewayToAll(net));

	// The point of a crash does not depend on the database: SQLite runs the odd ones, PostgreSQL the even ones.
	const first = database.dialect === 'SQLite' ? 1 : 2;

	test('a server killed after every other write: the next one finishes, and nothing is imported twice', async () => {
		const ends: string[] = [];
		for (let dieAfter = first; ends.at(-1) !== 'done' && dieAfter <= MOST_WRITES; dieAfter += 2) {
			const room = roomOver(database.db, gateway);
			const { id, txid } = await publishedBurn(net, room, `0.0${100 + dieAfter}`);
			for (const notary of NOTARIES) {
				await giveFromOutside(room, txid, await approveBy(net, notary, txid));
			}
			await net.control.mine('BETA');
			const order = { database: database.options, places: placesOf(net), id, dieAfter };
			ends.push(await runUntilDead(net, order));
			// For a process that starts an hour later, the dead process's lease has expired.
			const next = roomOver(database.db, gateway, { clock: () => Date.now() + HOUR });
			for (let move = 0; move < 4; move++) {
				await next.migrations.advance(id);
				await net.control.mine('BETA');
			}
			await next.migrations.advance(id);
			const view = (await next.migrations.get(id))!;
			expect(view.row.state).toBe('done');
			expect(await importsOf(gateway, txid)).toEqual([view.steps.get('import-confirmed')!.txid]);
		}
		expect(ends[0]).toBe('killed');
		expect(ends.at(-1)).toBe('done');
	});

	test('an approval that was sent from here is counted although the server died before it noted that', async () => {
		const room = roomOver(database.db, gateway);
		const { id, txid } = await publishedBurn(net, room, '0.5');
		const found = (await room.notaryApprovals.published(txid))!;
		const built = await room.notaryApprovals.approve(found, NOTARIES[0]!, 'nora');
		if (!('send' in built)) throw new Error(JSON.stringify(built));
		expect((await room.notaryApprovals.published(txid))!.approvals).toEqual([]);
		await room.sender.send(built.send, 'nora');
		const next = roomOver(database.db, gateway);
		await net.control.mine('BETA');
		await next.migrations.advance(id);
		expect((await next.notaryApprovals.published(txid))!.counted).toBe(1);
	});

	test('the same approval built and sent twice at once is one transaction', async () => {
		const room = roomOver(database.db, gateway);
		const { id, txid } = await publishedBurn(net, room, '0.25');
		const found = (await room.notaryApprovals.published(txid))!;
		const builds = await Promise.allSettled(
			[1, 2].map(() => room.notaryApprovals.approve(found, NOTARIES[1]!, 'nora'))
		);
		const sends = builds.flatMap((one) =>
			one.status === 'fulfilled' && 'send' in one.value ? [one.value.send] : []
		);
		expect(sends).toHaveLength(1);
		const failed = builds.find(({ status }) => status === 'rejected');
		expect(failed).toMatchObject({ reason: { code: 'utxos.locked' } });
		await Promise.all([1, 2, 3].map(() => room.sender.send(sends[0]!, 'nora')));
		expect(await net.rpc<string[]>('BETA', 'getrawmempool')).toHaveLength(1);
		await net.control.mine('BETA');
		await room.migrations.advance(id);
		expect((await room.notaryApprovals.published(txid))!.counted).toBe(1);
	});

	test('a burn published by two people at once is published once', async () => {
		const room = roomOver(database.db, gateway);
		const { id } = await publishedBurn(net, room, '0.125');
		await room.migrations.withdraw(id, 'ada');
		const both = await Promise.all(
			['ada', 'oleg'].map((name) => room.migrations.publish(id, name))
		);
		expect(both.filter(Boolean)).toHaveLength(1);
		const { events } = (await room.migrations.get(id))!;
		// Published once before it was withdrawn, and once since; a repeated event of the same member is
		// counted in one row.
		const told = events.filter(({ message }) => message.code === 'burn.published');
		expect(told.reduce((sum, { times }) => sum + times, 0)).toBe(2);
	});

	test('a burn that a reorganisation takes out of its block is sent again, and collected for again', async () => {
		const room = roomOver(database.db, gateway);
		const { id, txid } = await publishedBurn(net, room, '0.0625');
		await room.migrations.advance(id);
		await net.control.reorg('ALPHA', 1, true);
		await room.migrations.advance(id);
		const state = async () => (await room.migrations.get(id))!.row.state;
		expect(await state()).toBe('burn-unknown');
		await room.migrations.advance(id);
		expect(await state()).toBe('burn-pending');
		const pending = (await room.notaryApprovals.published(txid))!;
		expect(pending.burn).toMatchObject({ open: false, sourceHeight: null, sourceBlock: null });
		const check = await room.notaryApprovals.check(pending.burn);
		expect(check.txOutProof).toBeNull();
		expect(check.daemon[0]!.message).toMatchObject({
			code: 'daemon.refuses',
			params: { reason: 'in-mempool', chain: 'ALPHA' }
		});
		await net.control.mine('ALPHA');
		await room.migrations.advance(id);
		expect(await state()).toBe('backup-collecting');
		expect(
			(await room.notaryApprovals.check((await room.notaryApprovals.published(txid))!.burn))
				.txOutProof
		).not.toBeNull();
	});
});
