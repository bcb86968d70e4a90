import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import {
	addressOn,
	draftedBurn,
	gatewayTo,
	migrationsOver,
	placesOf,
	round
} from '../migration/support.ts';
import { shared } from '../../support/shared.ts';
import { listening } from '../../support/listening.ts';

/** More than the number that is moved concurrently. */
const HELD_UP = 9;
/** Less than the timeout of a call to a hanging daemon. */
const SOON_MS = 20_000;

describeOnBothDatabases('a daemon that takes calls and never answers', (database) => {
	let mute: Server;
	let gateway: Gateway;
	const net = shared(() => startDevnet());
	beforeAll(async () => {
		mute = createServer(() => undefined);
		const url = `http://127.0.0.1:${await listening(mute)}/`;
		const places = placesOf(net);
		const alpha = places.find(({ id }) => id === 'ALPHA')!;
		gateway = gatewayTo([...places, { ...alpha, id: 'MUTE', url }]);
	});
	afterAll(async () => {
		mute.closeAllConnections();
		await gateway.close();
		mute.close();
	});

	test('delays only the migrations that need it', async () => {
		const migrations = migrationsOver(database.db, gateway, { leaseMs: 15_000 });
		const to = await addressOn(net, 'BETA');
		const ids: string[] = [];
		for (let n = 0; n <= HELD_UP; n += 1) {
			const id = await draftedBurn(migrations, { address: to, amount: `0.0${200 + n}` });
			await migrations.confirm(id, 'ada', null);
			await migrations.advance(id);
			await net.control.mine('ALPHA');
			ids.push(id);
		}
		const healthy = ids.pop()!;
		await database.db
			.updateTable('migrations')
			.set({ source_daemon: 'MUTE', due_at: 1 })
			.where('id', 'in', ids)
			.execute();
		migrations.start();
		await vi.waitFor(
			async () => {
				await round(net);
				expect((await migrations.get(healthy))!.row.state).toBe('done');
			},
			{ timeout: SOON_MS, interval: 200 }
		);
		const held = await Promise.all(ids.map((id) => migrations.get(id)));
		expect(held.every((view) => view!.row.lease_owner !== null)).toBe(true);
		// Hanging calls end with their connections.
		mute.closeAllConnections();
		await gateway.close();
		await migrations.stop();
	});
});
