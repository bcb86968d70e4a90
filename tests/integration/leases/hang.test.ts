import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import type { Migrations } from '#lib/server/cross-chain/migration/createMigrations.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import {
	addressOn,
	burnsOf,
	carry,
	draftedBurn,
	gatewayTo,
	importsOf,
	migrationsOver,
	placesOf,
	round,
	type Place
} from '../migration/support.ts';
import { between } from '../transactions/support.ts';
import { shared } from '../../support/shared.ts';
import { listening } from '../../support/listening.ts';

/** More than the number that is moved concurrently. */
const HELD_UP = 9;
/** Less than the timeout of a call to a hanging daemon. */
const SOON_MS = 20_000;
/** Less than a lease, in which a server has to end. */
const STOPPED_MS = 5_000;
/** How long a machine under load may take to give a lease back. */
const GIVEN_BACK_MS = 10_000;
const SEND = 'sendrawtransaction';

describeOnBothDatabases('a daemon that takes calls and never answers', (database) => {
	let mute: Server;
	let gateway: Gateway;
	let places: Place[];
	const net = shared(() => startDevnet());
	beforeAll(async () => {
		mute = createServer(() => undefined);
		const url = `http://127.0.0.1:${await listening(mute)}/`;
		const daemons = placesOf(net);
		const alpha = daemons.find(({ id }) => id === 'ALPHA')!;
		places = [...daemons, { ...alpha, id: 'MUTE', url }];
		gateway = gatewayTo(places);
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

	/** The only due migration, with a burn that is confirmed by a member and not sent yet. */
	async function confirmed(migrations: Migrations, amount: string): Promise<string> {
		await database.db.updateTable('migrations').set({ due_at: null }).execute();
		const id = await draftedBurn(migrations, { address: await addressOn(net, 'BETA'), amount });
		await migrations.confirm(id, 'ada', null);
		return id;
	}

	/** Ends a server like the application: it stops its work, then it closes the connections to its daemons. */
	async function end(migrations: Migrations, own: Gateway): Promise<void> {
		const began = performance.now();
		await migrations.stop();
		expect(performance.now() - began).toBeLessThan(STOPPED_MS);
		await own.close();
	}

	/** What is stored of a migration once no server works on it. */
	async function leftBy(migrations: Migrations, id: string) {
		return vi.waitFor(async () => {
			const { state, reason, lease_owner } = (await migrations.get(id))!.row;
			expect(lease_owner).toBeNull();
			return { state, reason };
		}, GIVEN_BACK_MS);
	}

	test('keeps no server from ending, and its silence by then is not stored', async () => {
		const own = gatewayTo(places);
		const migrations = migrationsOver(database.db, own, { leaseMs: 15_000 });
		const id = await confirmed(migrations, '0.0300');
		await database.db
			.updateTable('migrations')
			.set({ source_daemon: 'MUTE' })
			.where('id', '=', id)
			.execute();
		let calls = 0;
		mute.on('request', () => (calls += 1));
		migrations.start();
		await vi.waitFor(() => expect(calls).toBeGreaterThan(0));
		await end(migrations, own);
		expect(await leftBy(migrations, id)).toEqual({ state: 'burn-unknown', reason: null });
	});

	test('to the burn that a server was sending at its end has the next server look it up, and it is sent once', async () => {
		const proxy = await between(net, 'ALPHA');
		const taken = Promise.withResolvers<undefined>();
		proxy.rewrite = (method, body) => {
			if (method !== SEND) return body;
			taken.resolve(undefined);
			return new Promise<string>(() => undefined);
		};
		const own = gatewayTo(placesOf(net, { ALPHA: proxy.url }));
		const migrations = migrationsOver(database.db, own, { leaseMs: 15_000 });
		const id = await confirmed(migrations, '0.0301');
		migrations.start();
		await taken.promise;
		await end(migrations, own);
		await proxy.stop();
		expect(await leftBy(migrations, id)).toEqual({ state: 'burn-unknown', reason: null });

		const healthy = gatewayTo(placesOf(net));
		const next = migrationsOver(database.db, healthy);
		expect(await carry(net, next, id)).toBe('done');
		await healthy.close();
		const { row, steps } = (await next.get(id))!;
		expect((await burnsOf(net, 'ALPHA')).filter((txid) => txid === row.burn_txid)).toHaveLength(1);
		expect(await importsOf(net, 'BETA', row.burn_txid!)).toEqual([
			steps.get('import-confirmed')!.txid
		]);
		expect(proxy.count(SEND)).toBe(1);
	});
});
