import { expect, test } from 'vitest';
import { fanOut } from '#lib/server/access/notifications/fanOut.ts';
import type { NoticeEvent } from '#lib/server/access/notifications/noticeEvent.ts';
import { describeOnPostgres, isWaiting } from '../../support/database.ts';
import { addPerson } from '../../support/members.ts';

describeOnPostgres('notices that two readers of events create at the same time', (database) => {
	test('reach members in one order, so that neither reader waits for the other', async () => {
		const { db } = database;
		const people = [await addPerson(database, 'operator'), await addPerson(database, 'operator')];
		for (const { id } of people) {
			await db
				.insertInto('notice_settings')
				.values({ account_id: id, email: `${id}@example.org` })
				.execute();
		}
		const [first, second] = people.toSorted((a, b) => (a.id < b.id ? -1 : 1));
		let count = 0;
		const about = ({ name }: { name: string }): NoticeEvent => ({
			source: `test:${(count += 1)}`,
			message: { code: 'approval.requested', params: { by: 'ada' } },
			path: '/transactions',
			to: [{ members: [name], right: 'read' }],
			at: Date.now()
		});
		const tell = (...events: NoticeEvent[]): Promise<void> =>
			db.transaction().execute((trx) => fanOut(trx, events, { mail: true }, Date.now()));
		await tell(about(first!), about(second!));
		const jobs = await db
			.selectFrom('notice_jobs')
			.select('id')
			.where('id', 'like', 'mail:%')
			.execute();
		expect(jobs).toHaveLength(2);

		const readers = await db.transaction().execute(async (trx) => {
			await trx
				.selectFrom('notice_jobs')
				.select('id')
				.where('id', '=', `mail:${first!.id}`)
				.forUpdate()
				.execute();
			const one = tell(about(first!), about(second!));
			await isWaiting(database, trx, 1);
			const other = tell(about(second!), about(first!));
			await isWaiting(database, trx, 2);
			return { both: Promise.allSettled([one, other]) };
		});
		expect((await readers.both).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
	});
});
