/**
 * Notices about the installation itself: daemons of a real network, its index, the audit log, and members'
 * work.
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { createRefusals } from '#lib/server/access/audit/refusals.ts';
import type { Account } from '#lib/server/access/identity/identity.ts';
import { createSafetyControls } from '#lib/server/access/policy/safety-controls/safetyControls.ts';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import { openIndex } from '#lib/server/chains/indexer/open.ts';
import { noticeChanges } from '#lib/server/noticeChanges.ts';
import { noticeLevels } from '#lib/server/noticeLevels.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { addPerson, authOver } from '../../support/members.ts';
import { shared } from '../../support/shared.ts';
import { tamper } from '../audit/support.ts';
import { followDaemon } from '../indexer/support.ts';
import { gatewayTo } from '../transactions/support.ts';
import { startServer, TestClock } from './world.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

describeOnBothDatabases('watched states', (database) => {
	const net = shared(() => startDevnet());
	const clock = new TestClock();
	const auth = shared(() => authOver(database));
	const gateway = shared(() => gatewayTo(net, database));
	const index = shared(() => openIndex(database.options));
	let admin: Account;
	let operator: Account;
	let viewer: Account;
	let server: Awaited<ReturnType<typeof startServer>>;

	/** A server as the composition creates it, without knowledge of earlier looks. */
	const started = () =>
		startServer(database.db, auth, clock, {
			changes: noticeChanges(database.db),
			levels: noticeLevels({ gateway, index, audit: auth.audit, clock: clock.read })
		});

	beforeAll(async () => {
		for (const chain of gateway.chains()) await followDaemon(index, gateway, chain);
		clock.now = (await net.control.state()).now * SECOND;
	});
	beforeEach(async () => {
		admin = await addPerson(database, 'admin');
		operator = await addPerson(database, 'operator');
		viewer = await addPerson(database, 'viewer');
		server = await started();
		await gateway.probe();
		await server.pass(6 * SECOND);
	});

	const codes = async ({ id }: Account): Promise<string[]> =>
		(await server.inbox.list(id, 1)).rows.map(({ message }) => message?.code ?? '').toReversed();
	const STEP = 30 * SECOND;
	/** The indexer polls each chain before the next step ends. */
	const indexed = () =>
		index
			.updateTable('ix_chains')
			.set({ looked_at: clock.now + STEP })
			.execute();
	/**
	 * Lets time pass in steps that are short enough for continuous observation.
	 * @param meanwhile what happens before each step
	 */
	const watch = async (ms: number, meanwhile: () => Promise<unknown> = indexed): Promise<void> => {
		for (let passed = 0; passed < ms; passed += STEP) {
			await meanwhile();
			await server.pass(STEP);
		}
	};
	/** The thread of the indexer has ended. */
	const unindexed = () => Promise.resolve();

	test('a daemon that does not answer is told to every member after a minute, and once more when it does', async () => {
		await net.control.fault('ALPHA', 'down');
		try {
			await gateway.probe();
			await server.pass(6 * SECOND);
			expect(await codes(viewer)).toEqual([]);
			await watch(2 * MINUTE);
			expect(await codes(viewer)).toEqual(['daemon.offline']);
		} finally {
			await net.control.fault('ALPHA', 'none');
		}
		await gateway.probe();
		await watch(2 * MINUTE);
		expect(await codes(viewer)).toEqual(['daemon.offline', 'daemon.online']);
		const { rows } = await server.inbox.list(viewer.id, 1);
		expect(rows[0]).toMatchObject({ path: '/daemons/ALPHA', kind: 'daemon' });
	});

	test('a daemon that only one of two servers reaches is told once, and once more when both do', async () => {
		const reached = gateway.daemons();
		const db = await database.openAnother();
		let lost = ['ALPHA'];
		const seen = (): ReturnType<Gateway['daemons']> =>
			reached.map((daemon) =>
				lost.includes(daemon.id)
					? { ...daemon, health: { ...daemon.health, state: 'down' } }
					: daemon
			);
		const far = await startServer(db, auth, clock, {
			levels: noticeLevels({
				gateway: { daemons: seen },
				index,
				audit: auth.audit,
				clock: clock.read
			})
		});
		const both = async (ms: number): Promise<void> => {
			for (let passed = 0; passed < ms; passed += 6 * SECOND) {
				await server.pass(3 * SECOND);
				await far.pass(3 * SECOND);
			}
		};
		const told = async () => (await codes(viewer)).filter((code) => code.startsWith('daemon.'));
		await both(3 * MINUTE);
		expect(await told()).toEqual(['daemon.offline']);
		lost = [];
		await both(3 * MINUTE);
		expect(await told()).toEqual(['daemon.offline', 'daemon.online']);
		// A server that finds the daemon offline and is then stopped reports nothing more.
		lost = ['ALPHA'];
		await both(2 * MINUTE);
		await watch(3 * MINUTE);
		expect(await told()).toEqual([
			...['daemon.offline', 'daemon.online', 'daemon.offline', 'daemon.online']
		]);
	});

	test('an index that stays behind is told after ten minutes, and that it caught up', async () => {
		const state = (of: 'behind' | 'current' | 'waiting', target: number) =>
			index
				.updateTable('ix_chains')
				.set({ state: of, target_height: target })
				.where('name', '=', 'BETA')
				.execute();
		const { height } = await net.control.mine('BETA');
		await state('behind', height);
		await watch(9 * MINUTE);
		expect(await codes(viewer)).toEqual([]);
		await watch(3 * MINUTE);
		expect(await codes(viewer)).toEqual(['index.behind']);
		// What it lacks is not known while its daemon is offline, nor while the indexer is silent.
		await state('waiting', height);
		await watch(12 * MINUTE);
		await state('current', height);
		await watch(12 * MINUTE, unindexed);
		expect(await codes(viewer)).toEqual(['index.behind']);
		await followDaemon(index, gateway, 'BETA');
		await watch(11 * MINUTE);
		expect(await codes(viewer)).toEqual(['index.behind', 'index.current']);
	});

	test('notarizations that a silent indexer has not read are not told to stay away', async () => {
		clock.now += 48 * HOUR;
		server = await started();
		await watch(7 * MINUTE, unindexed);
		expect(await codes(viewer)).toEqual([]);
	});

	test('notarizations that stay away are told, and that they came again', async () => {
		clock.now = (await net.control.state()).now * SECOND;
		await server.pass(0);
		clock.now += 48 * HOUR;
		server = await started();
		await watch(7 * MINUTE);
		const late = (await codes(viewer)).filter((code) => code === 'notarization.late');
		expect(late.length).toBeGreaterThan(0);
		await net.control.clock(48 * 3600);
		for (const chain of ['ALPHA', 'BETA']) await net.control.notarize(chain);
		for (const chain of gateway.chains()) await followDaemon(index, gateway, chain);
		clock.now = Math.max(clock.now, (await net.control.state()).now * SECOND);
		server = await started();
		await watch(7 * MINUTE);
		expect(await codes(viewer)).toContain('notarization.resumed');
	});

	test('a row that was changed and a log that was broken are told to admins alone', async () => {
		await database.db
			.updateTable('accounts')
			.set({ role: 'admin' })
			.where('id', '=', viewer.id)
			.execute();
		await auth.audit.checkRows();
		await server.pass(6 * SECOND);
		expect(await codes(admin)).toEqual(['audit.differences']);
		expect(await codes(operator)).toEqual([]);
		await database.db
			.updateTable('accounts')
			.set({ role: 'viewer' })
			.where('id', '=', viewer.id)
			.execute();
		await auth.audit.checkRows();
		await auth.audit.check();
		await server.pass(6 * SECOND);
		const first = await database.db
			.selectFrom('audit_events')
			.select(['seq', 'actor'])
			.orderBy('seq')
			.executeTakeFirstOrThrow();
		const write = (actor: string) =>
			tamper(database, (db) =>
				db.updateTable('audit_events').set({ actor }).where('seq', '=', first.seq).execute()
			);
		await write('somebody else');
		await auth.audit.check();
		await server.pass(6 * SECOND);
		await write(first.actor);
		await auth.audit.check();
		await server.pass(6 * SECOND);
		expect(await codes(admin)).toEqual([
			'audit.differences',
			'audit.whole',
			'audit.broken',
			'audit.whole'
		]);
		expect(await codes(operator)).toEqual([]);
	});

	test('what one server has found in the log is told once, whatever another one found before it', async () => {
		clock.now = Date.now();
		const db = await database.openAnother();
		const beside = await authOver({ ...database, db });
		const other = await startServer(db, beside, clock, {
			levels: noticeLevels({ gateway, index, audit: beside.audit, clock: clock.read })
		});
		const both = async (): Promise<void> => {
			for (let look = 0; look < 3; look += 1) {
				await server.pass(3 * SECOND);
				await other.pass(3 * SECOND);
			}
		};
		// Both servers have found the log intact, one of them long ago.
		for (const { audit } of [beside, auth]) await Promise.all([audit.checkRows(), audit.check()]);
		await both();
		const change = (role: 'admin' | 'viewer') =>
			database.db.updateTable('accounts').set({ role }).where('id', '=', viewer.id).execute();
		await change('admin');
		await auth.audit.checkRows();
		await both();
		expect(await codes(admin)).toEqual(['audit.differences']);
		// A server that has just started has not checked yet, and reports nothing.
		const { audit } = await authOver({ ...database, db });
		const fresh = await startServer(db, beside, clock, {
			levels: noticeLevels({ gateway, index, audit, clock: clock.read })
		});
		await fresh.pass(6 * SECOND);
		expect(await codes(admin)).toEqual(['audit.differences']);
		await change('viewer');
		await beside.audit.checkRows();
		await both();
		expect(await codes(admin)).toEqual(['audit.differences', 'audit.whole']);
	});

	test('a freeze, a new admin and what a policy refused are told by the acts themselves', async () => {
		const safety = createSafetyControls(database.db, auth.audit);
		await safety.turnOn('freeze', 'keys are lost', admin.name);
		await safety.turnOff('freeze', admin);
		await createRefusals({ audit: auth.audit }).refused(operator.name, {
			where: 'call',
			why: 'limit',
			what: 'sendtoaddress',
			place: 'ALPHA',
			reason: { code: 'token-method' }
		});
		await server.pass(2 * SECOND);
		expect((await codes(operator)).toSorted()).toEqual(['freeze.off', 'freeze.on']);
		expect(await codes(admin)).toEqual(['call.refused']);
		await auth.members.setRole(admin, operator.id, 'admin');
		await server.pass(2 * SECOND);
		expect((await codes(admin)).at(-1)).toBe('admin.added');
		expect(await codes(viewer)).toEqual([]);
	});

	test('a migration that stands still is told to who began it, once for each time', async () => {
		const id = randomUUID();
		const at = clock.now + SECOND;
		await database.db
			.insertInto('migrations')
			.values({
				id,
				path: 'notarized',
				source: 'ALPHA',
				destination: 'BETA',
				source_daemon: 'ALPHA',
				destination_daemon: 'BETA',
				kmd_daemon: 'KMD',
				ccid: 777,
				address: 'RXL3YXG2ceaB6C5hfJcN4fvmLH2C34knhA',
				amount: 150_000_000,
				import_scan_from: 0,
				created_by: operator.name,
				policy: 'automatic',
				state: 'stuck',
				fencing_token: 0,
				state_since: at,
				created_at: at,
				updated_at: at
			})
			.execute();
		await server.pass(3 * SECOND);
		await server.pass(30 * SECOND);
		expect(await codes(operator)).toEqual(['migration.stuck']);
		expect(await codes(viewer)).toEqual([]);
		const { rows } = await server.inbox.list(operator.id, 1);
		expect(rows[0]).toMatchObject({
			path: `/migrations/${id}`,
			message: { params: { amount: '1.5', unit: 'ALPHA' } }
		});
		await database.db
			.updateTable('migrations')
			.set({ state_since: clock.now + SECOND })
			.where('id', '=', id)
			.execute();
		await server.pass(3 * SECOND);
		expect(await codes(operator)).toEqual(['migration.stuck', 'migration.stuck']);
	});

	test('a transaction that a block lost is told to its author and its holder each time, however long ago it was sent', async () => {
		const id = randomUUID();
		const holder = await addPerson(database, 'operator');
		await database.db
			.insertInto('assignments')
			.values({ kind: 'review', item: id, holder: holder.name, at: clock.now })
			.execute();
		await database.db
			.insertInto('transactions')
			.values({
				id,
				kind: 'coin-send',
				chain: 'ALPHA',
				daemon: 'ALPHA',
				pubkey: `02${'ab'.repeat(32)}`,
				txid: id.replaceAll('-', '').repeat(2),
				hex: '',
				request: '{}',
				review: '{}',
				state: 'unknown',
				created_by: operator.name,
				created_at: 1,
				expires_at: 1,
				broadcast_at: clock.now - HOUR,
				taken_at: clock.now - HOUR,
				settled_at: clock.now + SECOND
			})
			.execute();
		const told = async (one: Account) =>
			(await codes(one)).filter((code) => code.startsWith('transaction.'));
		await server.pass(30 * SECOND);
		expect(await told(operator)).toEqual([]);
		// Shorter steps than the range that is read again: an earlier clock left this position ahead.
		for (let passed = 0; passed < 2 * MINUTE; passed += 5 * SECOND) {
			// It is sent again with each block.
			const again = { broadcast_at: clock.now };
			await database.db.updateTable('transactions').set(again).where('id', '=', id).execute();
			await server.pass(5 * SECOND);
		}
		expect(await told(operator)).toEqual(['transaction.unknown']);
		expect(await told(viewer)).toEqual([]);
		// It was found, and another reorganization lost it.
		await database.db
			.updateTable('transactions')
			.set({ settled_at: clock.now + SECOND })
			.where('id', '=', id)
			.execute();
		for (let passed = 0; passed < 3 * MINUTE; passed += 5 * SECOND) await server.pass(5 * SECOND);
		for (const one of [operator, holder])
			expect(await told(one)).toEqual(['transaction.unknown', 'transaction.unknown']);
		await database.db.deleteFrom('transactions').where('id', '=', id).execute();
	});

	test('a batch transfer that is done is told to whoever began it, and in whose hands it was put', async () => {
		const id = randomUUID();
		const holder = await addPerson(database, 'operator');
		await database.db
			.insertInto('assignments')
			.values({ kind: 'series', item: id, holder: holder.name, at: clock.now })
			.execute();
		await database.db
			.insertInto('batch_transfers')
			.values({
				id,
				chain: 'ALPHA',
				tokenid: 'ab'.repeat(32),
				daemon: 'ALPHA',
				pubkey: '02',
				state: 'done',
				created_by: operator.name,
				created_at: clock.now,
				ended_at: clock.now + SECOND
			})
			.execute();
		await server.pass(3 * SECOND);
		for (const one of [operator, holder]) expect(await codes(one)).toEqual(['batch.done']);
		expect(await codes(viewer)).toEqual([]);
	});
});
