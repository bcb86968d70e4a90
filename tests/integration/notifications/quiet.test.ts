/** The cost of looking for notices while there are none: every write uses the disk, and invalidates caches. */
import { expect, test } from 'vitest';
import type { Level } from '#lib/server/access/notifications/watchesJob.ts';
import type { NoticeEvent } from '#lib/server/access/notifications/noticeEvent.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { addPerson, authOver } from '../../support/members.ts';
import { startServer, TestClock } from './world.ts';

describeOnBothDatabases('looking for notices', (database) => {
	test('writes nothing while nothing is new, and tells of a change once however often it is found', async () => {
		const auth = await authOver(database);
		const clock = new TestClock();
		const operator = await addPerson(database, 'operator');
		const found: NoticeEvent[] = [];
		const params = { daemon: 'QUIET', chain: 'QUIET' };
		const common = { path: '/daemons/QUIET', to: [{ right: 'read' }] } as const;
		const level: Level = {
			key: 'daemon:QUIET',
			isBad: false,
			holdMs: 60_000,
			bad: { ...common, message: { code: 'daemon.offline', params } },
			good: { ...common, message: { code: 'daemon.online', params } }
		};
		const server = await startServer(database.db, auth, clock, {
			changes: [{ name: 'quiet', changes: () => Promise.resolve(found) }],
			levels: [() => Promise.resolve([level])]
		});
		await server.pass(0);
		const stored = async () => [
			await database.db.selectFrom('notice_jobs').selectAll().orderBy('id').execute(),
			await database.db.selectFrom('notice_watches').selectAll().execute()
		];
		const before = await stored();
		const stamp = database.db.changeStamp();
		for (let n = 0; n < 3; n += 1) await server.pass(2_000);
		expect(await stored()).toEqual(before);
		expect(database.db.changeStamp()).toBe(stamp);

		found.push({
			source: 'quiet:1',
			at: clock.now,
			message: { code: 'work.assigned', params: { by: 'ada' } },
			path: '/migrations',
			to: [{ right: 'read', members: [operator.name] }]
		});
		await server.pass(2_000);
		const told = database.db.changeStamp();
		for (let n = 0; n < 3; n += 1) await server.pass(2_000);
		expect((await server.inbox.list(operator.id, 1)).rows).toHaveLength(1);
		expect(database.db.changeStamp()).toBe(told);
	});
});
