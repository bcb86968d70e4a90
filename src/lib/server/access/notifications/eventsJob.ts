/** Reads the audit log forward and tells what it says: each event once, on whichever server holds the lease. */
import type { Database } from '../../platform/database/database.ts';
import type { Held } from '../../platform/jobs/runner.ts';
import { eventOf } from '../audit/events.ts';
import type { AccessTables } from '../tables.ts';
import { auditNotice } from './auditNotices.ts';
import { fanOut } from './fanOut.ts';

/** How often the log is looked at while nothing is new, in milliseconds. */
const LOOK_EVERY_MS = 1_000;
const BATCH = 100;

export interface JobParts {
	db: Database<AccessTables>;
	/** Whether mails can be sent. */
	mail: boolean;
	clock: () => number;
}

/** One step: at most so many events; due again at once while there are more. */
export async function readEvents({ db, mail, clock }: JobParts, held: Held): Promise<void> {
	await db.transaction().execute(async (trx) => {
		await held.keep(trx);
		const { position } = await trx
			.selectFrom('notice_jobs')
			.select('position')
			.where('id', '=', held.id)
			.executeTakeFirstOrThrow();
		const rows = await trx
			.selectFrom('audit_events')
			.selectAll()
			.where('seq', '>', position)
			.orderBy('seq')
			.limit(BATCH)
			.execute();
		const now = clock();
		const events = rows.flatMap((row) => auditNotice(eventOf(row)) ?? []);
		await fanOut(trx, events, { mail }, now);
		await trx
			.updateTable('notice_jobs')
			.set({
				position: rows.at(-1)?.seq ?? position,
				due_at: rows.length === BATCH ? now : now + LOOK_EVERY_MS
			})
			.where('id', '=', held.id)
			.execute();
	});
}
