import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { describeOnBothDatabases, type TestDatabase } from '../../support/database.ts';
import { startDevnet, type Devnet } from '../../support/devnet.ts';
import { forkBundled } from '../../support/forkBundled.ts';
import type { Order, Report } from './engineProcess.ts';
import {
	addressOn,
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

const PROCESS = fileURLToPath(new URL('./engineProcess.ts', import.meta.url));
/** More than the number of writes of an undisturbed migration. */
const MOST_WRITES = 20;
const HOUR = 3_600_000;

/**
 * Runs the process until it dies or the migration is done.
 * @returns which
 */
async function runUntilDead(net: Devnet, order: Order): Promise<'killed' | 'done'> {
	const child = await forkBundled(PROCESS, order);
	const dead = new Promise<'killed'>((resolve, reject) => {
		child.once('exit', (code, signal) => {
			if (signal === 'SIGKILL') resolve('killed');
			else reject(new Error(`the engine's process ended with ${code}`));
		});
	});
	const done = new Promise<'done'>((resolve, reject) => {
		child.on('message', (report: Report) => {
			if (report.state === 'done') {
				child.removeAllListeners('exit');
				child.disconnect();
				resolve('done');
				return;
			}
			round(net).then(() => {
				if (child.connected) child.send('go');
			}, reject);
		});
	});
	return Promise.race([dead, done]);
}

describeOnBothDatabases('a server killed while it carries coins', (database: TestDatabase) => {
	let to: string;
	const net = shared(() => startDevnet());
	const gateway = shared(() => gatewayTo(placesOf(net)));
	beforeAll(async () => {
		to = await addressOn(net, 'BETA');
	});

	// The point of a crash does not depend on the database: SQLite runs the odd ones, PostgreSQL the even ones.
	const first = database.dialect === 'SQLite' ? 1 : 2;

	test('after every other write: the next one finishes, and nothing is burned or imported twice', async () => {
		const ends: string[] = [];
		for (let dieAfter = first; ends.at(-1) !== 'done' && dieAfter <= MOST_WRITES; dieAfter += 2) {
			const before = await burnsOf(net, 'ALPHA');
			const migrations = migrationsOver(database.db, gateway, {
				// For a process that starts an hour later, the dead process's lease has expired.
				clock: () => Date.now() + HOUR
			});
			const wish = { address: to, amount: `0.0${100 + dieAfter}` };
			const id = await draftedBurn(migrationsOver(database.db, gateway), wish);
			await migrationsOver(database.db, gateway).confirm(id, 'ada', null);
			const order = { database: database.options, places: placesOf(net), id, dieAfter };
			ends.push(await runUntilDead(net, order));
			expect(await carry(net, migrations, id)).toBe('done');
			const view = (await migrations.get(id))!;
			const burned = (await burnsOf(net, 'ALPHA')).filter((txid) => !before.includes(txid));
			expect(burned).toEqual([view.row.burn_txid]);
			expect(await importsOf(net, 'BETA', view.row.burn_txid!)).toEqual([
				view.steps.get('import-confirmed')!.txid
			]);
		}
		// The kills covered every write from the first to beyond the last.
		expect(ends[0]).toBe('killed');
		expect(ends.at(-1)).toBe('done');
	});
});
