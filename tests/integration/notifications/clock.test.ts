/** Notices with wrong clocks: one that is set back, and servers with one clock ahead. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { NoticeEvent } from '#lib/server/access/notifications/noticeEvent.ts';
import type { Level } from '#lib/server/access/notifications/watchesJob.ts';
import type { Account } from '#lib/server/access/identity/identity.ts';
import type { Auth } from '#lib/server/access/requests/auth.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { addPerson, authOver } from '../../support/members.ts';
import { startServer, TestClock } from './world.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describeOnBothDatabases('notices by clocks that are wrong', (database) => {
	let auth: Auth;
	let operator: Account;
	let happened: NoticeEvent[];
	let isBad: boolean;

	beforeAll(async () => {
		auth = await authOver(database);
	});
	beforeEach(async () => {
		operator = await addPerson(database, 'operator');
		happened = [];
		isBad = false;
	});

	const start = (clock: TestClock, name: string) => {
		const params = { daemon: name, chain: name };
		const common = { path: '/daemons', to: [{ right: 'read' }] } as const;
		const level = (): Level => ({
			key: `daemon:${name}`,
			isBad,
			holdMs: MINUTE,
			bad: { ...common, message: { code: 'daemon.offline', params } },
			good: { ...common, message: { code: 'daemon.online', params } }
		});
		const changes = (since: number, now: number): Promise<NoticeEvent[]> =>
			Promise.resolve(happened.filter(({ at }) => at >= since && at <= now));
		return startServer(database.db, auth, clock, {
			changes: [{ name, changes }],
			levels: [() => Promise.resolve([level()])]
		});
	};
	const happens = (source: string, at: number): void =>
		void happened.push({
			source,
			at,
			path: '/migrations',
			message: { code: 'work.assigned', params: { by: 'ada' } },
			to: [{ right: 'read', members: [operator.name] }]
		});
	const codes = async (server: Awaited<ReturnType<typeof start>>) =>
		(await server.inbox.list(operator.id, 1)).rows.map(({ message }) => message?.code).toReversed();

	test('what happens after the clock was set back is told at once', async () => {
		const clock = new TestClock();
		const server = await start(clock, 'set back');
		for (let n = 0; n < 3; n += 1) await server.pass(MINUTE);
		clock.now -= HOUR;
		happens('set-back:1', clock.now);
		await server.pass(2_000);
		expect(await codes(server)).toEqual(['work.assigned']);
		await server.pass(HOUR);
		happens('set-back:2', clock.now);
		await server.pass(2_000);
		expect(await codes(server)).toEqual(['work.assigned', 'work.assigned']);
	});

	test('what happens at one server is told although another is ten minutes ahead', async () => {
		const [right, ahead] = [new TestClock(), new TestClock()];
		ahead.now += 10 * MINUTE;
		const [one, other] = [await start(right, 'ahead'), await start(ahead, 'ahead')];
		for (let n = 0; n < 3; n += 1) {
			await other.pass(MINUTE);
			await one.pass(MINUTE);
		}
		happens('ahead:1', right.now);
		await other.pass(2_000);
		await one.pass(2_000);
		await other.pass(2_000);
		expect(await codes(one)).toEqual(['work.assigned']);
	});

	test('no notice and no delivery goes for its age by a clock that is suddenly a year ahead', async () => {
		const clock = new TestClock();
		const server = await start(clock, 'a year ahead');
		await server.pass(2 * MINUTE);
		happens('a-year-ahead:1', clock.now);
		await server.pass(2_000);
		const { db } = database;
		await db
			.insertInto('deliveries')
			.values({
				id: operator.id,
				destination: 'webhook:nowhere',
				source: 'a-year-ahead',
				body: '{}',
				state: 'waiting',
				created_at: clock.now
			})
			.execute();
		const kept = async (): Promise<number> =>
			(await db.selectFrom('deliveries').select('id').where('id', '=', operator.id).execute())
				.length;
		clock.ahead = 365 * 24 * HOUR;
		for (let n = 0; n < 3; n += 1) await server.pass(2 * MINUTE);
		expect(await codes(server)).toEqual(['work.assigned']);
		expect(await kept()).toBe(1);
		// A day without a correction has shown that the clock is right.
		await server.pass(25 * HOUR);
		expect([await codes(server), await kept()]).toEqual([[], 0]);
	});

	test('a state that lasts is told after its time, although the clock was set back meanwhile', async () => {
		const clock = new TestClock();
		const server = await start(clock, 'lasting');
		await server.pass(10_000);
		isBad = true;
		await server.pass(10_000);
		clock.now -= HOUR;
		for (let n = 0; n < 5; n += 1) await server.pass(20_000);
		expect(await codes(server)).toEqual(['daemon.offline']);
	});
});
