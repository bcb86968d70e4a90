import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Audit } from '#lib/server/access/audit/audit.ts';
import { openIndex } from '#lib/server/chains/indexer/open.ts';
import type { MigrationState } from '#lib/server/cross-chain/migration/states.ts';
import { migrationSummary } from '#lib/server/cross-chain/migration/summary.ts';
import { timeline } from '#lib/server/cross-chain/migration/timeline.ts';
import { migrationsInProgress } from '#lib/server/cross-chain/migration/inProgress.ts';
import { createKdfGateway } from '#lib/server/kdf/client/kdfGateway.ts';
import { createKdfStops } from '#lib/server/kdf/client/kdfStops.ts';
import type { KdfGateway } from '#lib/server/kdf/client/kdfTypes.ts';
import { createMetrics } from '#lib/server/metrics.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';
import { command } from '../../support/commandLine.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { neverSwitchedOff, permissiveRights } from '../../support/permissive.ts';
import { addressOn, draftedBurn, gatewayTo, migrationsOver, placesOf } from './support.ts';
import { shared } from '../../support/shared.ts';
import { authOver } from '../../support/members.ts';

describeOnBothDatabases('stopped migrations', (database) => {
	const net = shared(() => startDevnet());
	const gateway = shared(() => gatewayTo(placesOf(net)));
	let nodes: KdfGateway;
	const index = shared(() => openIndex(database.options));
	let audit: Audit;
	let to: string;
	let amount = 700;
	beforeAll(async () => {
		({ audit } = await authOver(database));
		nodes = createKdfGateway(
			{ nodes: [] },
			{ stops: createKdfStops(database.db), audit, refusal: neverSwitchedOff }
		);
		to = await addressOn(net, 'BETA');
	});
	afterAll(async () => {
		await nodes.close();
	});

	/** A confirmed migration that stopped. */
	async function stopped(): Promise<string> {
		amount += 1;
		const migrations = migrationsOver(database.db, gateway, { audit });
		const id = await draftedBurn(migrations, { address: to, amount: `0.0${amount}` });
		await migrations.confirm(id, 'ada', null);
		await net.control.mine('ALPHA');
		await database.db
			.updateTable('migrations')
			.set({ state: 'stuck', due_at: null, reason: 'It stopped.', state_since: 1_000 })
			.where('id', '=', id)
			.execute();
		return id;
	}

	const stateOf = async (id: string): Promise<MigrationState> => {
		const query = database.db.selectFrom('migrations').select('state').where('id', '=', id);
		return (await query.executeTakeFirstOrThrow()).state;
	};

	test('are counted with the age of the oldest, and so is what nobody looks at', async () => {
		const { db } = database;
		const id = await stopped();
		const metrics = createMetrics({
			gateway,
			nodes,
			index,
			audit,
			disk: () => Promise.resolve({ free: 300_000_000, size: 900_000_000 }),
			migrations: () => migrationSummary(db, 61_000)
		});
		const text = await metrics.text();
		expect(text).toContain('komodeck_migrations{state="stuck"} 1');
		expect(text).toContain('komodeck_migration_oldest_seconds{state="stuck"} 60');
		expect(text).toContain('komodeck_migrations{state="done"} 0');
		expect(text).toContain('komodeck_migrations_stopped 1');
		expect(text).toContain('komodeck_disk_free_bytes 300000000');
		expect(text).toContain('komodeck_migrations_overdue 0');
		await db
			.updateTable('migrations')
			.set({ state: 'burn-pending', due_at: 500 })
			.where('id', '=', id)
			.execute();
		expect(await metrics.text()).toContain('komodeck_migrations_overdue 1');
	});

	test('are told as under way with the steps behind them until they are given up', async () => {
		const { db } = database;
		const id = await stopped();
		const told = async () => (await migrationsInProgress(db, 50)).find((one) => one.id === id);
		const routeOf = async (one: string) =>
			(await db.selectFrom('migrations').select('path').where('id', '=', one).executeTakeFirst())
				?.path;
		const steps = db.updateTable('migration_steps').where('migration', '=', id);
		await steps.set({ done_at: null }).execute();
		expect(await told()).toEqual({
			id,
			source: 'ALPHA',
			destination: 'BETA',
			token: null,
			state: 'stuck',
			// A burn of chosen outputs has three more.
			steps: (await routeOf(id)) === 'custom' ? 11 : 8,
			amount: expect.any(BigInt) as bigint,
			done: 0,
			since: 1_000
		});
		await steps.set({ done_at: 5 }).where('step', '=', 'burn').execute();
		expect((await told())?.done).toBe(1);
		await db.updateTable('migrations').set({ state: 'discarded' }).where('id', '=', id).execute();
		expect(await told()).toBeUndefined();
	});

	test('whose row says that it is due although nothing is left to do are taken once, not without end', async () => {
		const id = await stopped();
		const row = database.db.updateTable('migrations').where('id', '=', id);
		await row.set({ state: 'discarded', due_at: 1 }).execute();
		await migrationsOver(database.db, gateway, { audit }).advance(id);
		const { due_at: due } = await database.db
			.selectFrom('migrations')
			.select('due_at')
			.where('id', '=', id)
			.executeTakeFirstOrThrow();
		expect(due).toBeNull();
		expect(await stateOf(id)).toBe('discarded');
	});

	test('in a state or with a step that only another release knows are left to its servers as they are', async () => {
		const { db } = database;
		for (const what of ['state', 'step'] as const) {
			const id = await stopped();
			const row = db.updateTable('migrations').where('id', '=', id);
			const state = what === 'state' ? 'of-a-newer-release' : 'burn-pending';
			await row.set({ state: state as MigrationState, due_at: 1 }).execute();
			if (what === 'step') {
				await db
					.insertInto('migration_steps')
					.values({ migration: id, step: 'of-a-newer-release' as 'burn', evidence: '{"new":true}' })
					.execute();
			}
			await migrationsOver(db, gateway, { audit }).advance(id);
			const left = await db
				.selectFrom('migrations')
				.select(['state', 'due_at'])
				.where('id', '=', id)
				.executeTakeFirstOrThrow();
			expect(left.state).toBe(state);
			expect(Number(left.due_at)).toBeGreaterThan(Date.now());
			await row.set({ state: 'discarded', due_at: null }).execute();
			await db.deleteFrom('migration_steps').where('migration', '=', id).execute();
		}
	});

	test('in a state, on a route or under a policy that only another release knows are shown as that', async () => {
		const { db, options } = database;
		const words = 'Known to another release only';
		const id = await stopped();
		const row = db.updateTable('migrations').where('id', '=', id);
		await db
			.updateTable('migration_steps')
			.where('migration', '=', id)
			.set({ done_at: 5 })
			.where('step', '=', 'burn')
			.execute();
		const before = await row.returning(['path', 'policy']).set({ reason: null }).executeTakeFirst();
		const { path, policy } = before!;
		const migrations = migrationsOver(db, gateway, { audit });
		const newer = 'of-a-newer-release';
		for (const change of [{ state: newer }, { path: newer }, { policy: newer }]) {
			await row.set({ state: 'stuck', path, policy, due_at: 1, ...(change as object) }).execute();
			const found = await migrations.get(id);
			expect(timeline(found!).map((step) => step.id === 'burn' && step.state)).not.toContain(
				'later'
			);
			expect((await migrationsInProgress(db, 100)).some((one) => one.id === id)).toBe(true);
			await migrations.advance(id);
			expect(await stateOf(id)).toBe('state' in change ? newer : 'stuck');
			if (!('state' in change)) continue;
			expect(timeline(found!).find((step) => step.id === 'burn')?.state).toBe('done');
			for (const args of [['list'], ['show', id], ['retry', id]]) {
				const { code, out } = await command(options, ['migration', ...args]);
				expect(code).toBe(0);
				expect(out).toContain(args[0] === 'retry' ? words.toLowerCase().slice(1) : words);
			}
		}
		await row.set({ state: 'discarded', path, policy, due_at: null }).execute();
	});

	test('whose policy, route or step only another release knows are taken up and approved by nobody here', async () => {
		const { db } = database;
		const id = await stopped();
		const row = db.updateTable('migrations').where('id', '=', id);
		const migrations = migrationsOver(db, gateway, { audit });
		const newer = 'of-a-newer-release' as never;
		await row.set({ policy: newer }).execute();
		expect(await migrations.retry(id, 'ada')).toBe(false);
		// Two approvals would be enough in this release; the other release's number is unknown here.
		await row.set({ state: 'needs-approval' }).execute();
		for (const member of ['ada', 'bob']) {
			expect(await migrations.approveStep(id, member)).toBe('moved-on');
		}
		await row.set({ state: 'stuck', policy: 'automatic', path: newer }).execute();
		expect(await migrations.retry(id, 'ada')).toBe(false);
		await row.set({ path: 'notarized' }).execute();
		await db
			.insertInto('migration_steps')
			.values({ migration: id, step: newer, evidence: '{}' })
			.execute();
		expect(await migrations.retry(id, 'ada')).toBe(false);
		await db.deleteFrom('migration_steps').where('step', '=', newer).execute();
		expect(await migrations.retry(id, 'ada')).toBe(true);
		await row.set({ state: 'discarded', due_at: null }).execute();
	});

	test('are retried all at once by whom their wallets are open to, and that is on record', async () => {
		const ids = [await stopped(), await stopped()];
		const refusing = {
			...permissiveRights(gateway),
			walletRefusal: () => Promise.resolve(new AppError('wallet.not-granted', { daemon: 'ALPHA' }))
		};
		const strangers = migrationsOver(database.db, gateway, { audit, rights: refusing });
		const refused = await strangers.retryAll('eve');
		expect(refused.retried).toBe(0);
		expect(refused.refused.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
		expect(await stateOf(ids[0]!)).toBe('stuck');

		const migrations = migrationsOver(database.db, gateway, { audit });
		expect(await migrations.retryAll('ada')).toEqual({ retried: 2, refused: [] });
		for (const id of ids) expect(await stateOf(id)).toBe('burn-unknown');
		const events = await database.db
			.selectFrom('audit_events')
			.select(['actor', 'action', 'detail'])
			.where('action', '=', 'migration.retried-all')
			.orderBy('seq')
			.execute();
		expect(events.map(({ actor, detail }) => [actor, JSON.parse(detail) as unknown])).toEqual([
			['eve', { retried: 0, refused: 2 }],
			['ada', { retried: 2, refused: 0 }]
		]);
	});

	test('go on by the command line, one or all', async () => {
		const { options } = database;
		const ids = [await stopped(), await stopped(), await stopped()];
		const run = async (wanted: string): Promise<{ code: number; said: string }> => {
			const { code, out, err } = await command(options, ['migration', 'retry', wanted]);
			return { code, said: out + err };
		};
		expect(await run(ids[0]!)).toEqual({ code: 0, said: `${ids[0]}: resumed.\n` });
		expect(await stateOf(ids[1]!)).toBe('stuck');
		expect((await run(ids[0]!)).said).toContain('not stopped');
		expect((await run('none')).code).toBe(1);
		expect((await run('all')).said).toContain('Migrations retried: 2.');
		for (const id of ids) expect(await stateOf(id)).toBe('burn-unknown');
	});
});
