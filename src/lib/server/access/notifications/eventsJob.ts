/** Reads the audit log forward and tells what it says, each event once. */
import type { Database } from '../../platform/database/database.ts';
import { eventOf } from '../audit/events.ts';
import type { AccessTables } from '../tables.ts';
import { auditNotice } from './auditNotices.ts';
import { fanOut } from './fanOut.ts';
import { moveOn, placeOf } from './place.ts';

/** How often the log is looked at, in milliseconds. */
export const EVENTS_EVERY_MS = 1_000;
const BATCH = 100;

export interface JobParts {
	db: Database<AccessTables>;
	/** Whether mails can be sent. */
	mail: boolean;
	/** Unix milliseconds. */
	clock: () => number;
}

/**
 * Reads on to the end of the log. Every server may do so at the same time: one of them moves the place on, and what the
 * others read is told already. Where nothing is new, nothing is written.
 * @returns whether there was anything new
 */
export async function readEvents({ db, mail, clock }: JobParts): Promise<boolean> {
	for (let more = false; ; more = true) {
		const position = await placeOf(db, 'events');
		const rows = await db
			.selectFrom('audit_events')
			.selectAll()
			.where('seq', '>', position)
			.orderBy('seq')
			.limit(BATCH)
			.execute();
		const last = rows.at(-1);
		if (last === undefined) return more;
		const events = rows.flatMap((row) => auditNotice(eventOf(row)) ?? []);
		await db.transaction().execute(async (trx) => {
			if (!(await moveOn(trx, 'events', position, last.seq))) return;
			await fanOut(trx, events, { mail }, clock());
		});
	}
}
