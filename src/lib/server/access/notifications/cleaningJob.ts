/** Deletes old notices and deliveries, and those beyond the maximum for each member or destination. */
import { sql } from 'kysely';
import { DAY_MS } from '#lib/text/units.ts';
import type { ClockDoubt } from '../../platform/audit-trail/clockDoubt.ts';
import type { Held } from '../../platform/jobs/runner.ts';
import type { JobParts } from './eventsJob.ts';
import { countUnread } from './inbox.ts';
import { agedAt, forgetDestination, MOST_WAITING } from './queue.ts';

const CLEAN_EVERY_MS = 60_000;
/** How long a notice is kept, read or not, in days. */
const NOTICE_DAYS = 90;
/** How long deliveries are kept after they were created, in days. */
const DELIVERY_DAYS = 14;
/** Most notices of one member. */
export const MOST_OF_A_MEMBER = 500;
/** Most notices, and most deliveries, of all members. */
const MOST_OF_ALL = 100_000;

/** Rows beyond the newest `most` for each value of column `by`, at most 5000. */
const beyond = (table: string, by: string, most: number) =>
	sql<{ id: string; by: string }>`select id, ${sql.ref(by)} as "by" from (
		select id, ${sql.ref(by)}, row_number() over (partition by ${sql.ref(by)} order by created_at desc, id desc) as place
		from ${sql.table(table)}) as ranked where place > ${BigInt(most)} limit 5000`;

const oldestBeyond = (table: string) =>
	sql`delete from ${sql.table(table)} where id in (select id from ${sql.table(table)}
		order by created_at desc, id desc limit 5000 offset ${BigInt(MOST_OF_ALL)})`;

/**
 * Deletes what is too old or too much, and plans the next run.
 * @param doubt what the clock may be ahead, for what is deleted by its age
 */
export async function clean({ db, clock }: JobParts, doubt: ClockDoubt, held: Held): Promise<void> {
	const now = clock();
	await db.transaction().execute(async (trx) => {
		await held.keep(trx);
		const aged = await agedAt({ clock, doubt }, trx);
		// A browser receives notifications only while its session exists. Before any delivery is locked: others who end a
		// subscription lock it, then its job, then its deliveries, and the reverse order would deadlock on PostgreSQL.
		const gone = await trx
			.deleteFrom('push_subscriptions')
			.where(({ not, exists, selectFrom }) =>
				not(
					exists(
						selectFrom('sessions')
							.select('id_hash')
							.whereRef('sessions.id_hash', '=', 'push_subscriptions.session')
					)
				)
			)
			.returning('id')
			.execute();
		for (const { id } of gone) await forgetDestination(trx, `push:${id}`);
		const before = BigInt(aged - NOTICE_DAYS * DAY_MS);
		const old = await trx
			.deleteFrom('notices')
			.where('created_at', '<', before)
			.returning('account_id')
			.execute();
		const { rows: many } = await beyond('notices', 'account_id', MOST_OF_A_MEMBER).execute(trx);
		if (many.length > 0) {
			const ids = many.map(({ id }) => id);
			await trx.deleteFrom('notices').where('id', 'in', ids).execute();
		}
		await oldestBeyond('notices').execute(trx);
		const accounts = [...old.map((row) => row.account_id), ...many.map((row) => row.by)];
		for (const account of [...new Set(accounts)].toSorted()) await countUnread(trx, account, now);

		await trx
			.deleteFrom('deliveries')
			.where('created_at', '<', BigInt(aged - DELIVERY_DAYS * DAY_MS))
			.execute();
		const { rows: logged } = await beyond('deliveries', 'destination', MOST_WAITING).execute(trx);
		if (logged.length > 0) {
			const ids = logged.map(({ id }) => id);
			await trx.deleteFrom('deliveries').where('id', 'in', ids).execute();
		}
		await oldestBeyond('deliveries').execute(trx);
		await trx.deleteFrom('notice_watches').where('looked_at', '<', before).execute();
		await trx
			.updateTable('notice_jobs')
			.set({ due_at: now + CLEAN_EVERY_MS })
			.where('id', '=', held.id)
			.execute();
	});
}
