/** Reads the audit log forward and creates the notices of its events, once each. */
import { isKnownAction } from '#lib/messages/audit/actions.ts';
import { MINUTE_MS } from '#lib/text/units.ts';
import type { Database } from '../../platform/database/database.ts';
import { eventOf, rowsAfter } from '../audit/events.ts';
import { AT_REST } from '../../platform/jobs/rounds.ts';
import type { AccessTables } from '../tables.ts';
import { auditNotice } from './auditNotices.ts';
import { fanOut } from './fanOut.ts';
import { moveOn, placeOf } from './place.ts';

/** How often the log is polled, in milliseconds. */
export const EVENTS_EVERY_MS = 1_000;
const BATCH = 100;
/**
 * How long an event of an action unknown to this release is left to a server of the release that wrote it, in
 * milliseconds. After that the events behind it are read anyway, since that release may have been rolled
 * back.
 */
const LEFT_TO_OTHERS_MS = 10 * MINUTE_MS;

/** Result of a poll; at rest: nothing becomes news until something is written. */
export type Looked = 'news' | 'nothing' | typeof AT_REST;

export interface JobParts {
	db: Database<AccessTables>;
	/** Whether mails can be sent. */
	mail: boolean;
	/** Unix milliseconds. */
	clock: () => number;
}

/** Whether an event is still left to a server of another release. */
const isOfOthers = ({ action, time }: { action: string; time: bigint }, now: number): boolean =>
	!isKnownAction(action) && Math.abs(now - Number(time)) < LEFT_TO_OTHERS_MS;

/**
 * Reads to the end of the audit log. All servers may do so at the same time: only one of them advances the
 * position and creates notices for what it read. Writes nothing when there are no new events.
 */
export async function readEvents({ db, mail, clock }: JobParts): Promise<Looked> {
	for (let more = false; ; more = true) {
		const position = await placeOf(db, 'events');
		const found = await rowsAfter(db, position, BATCH);
		const others = found.findIndex((row) => isOfOthers(row, clock()));
		const rows = others === -1 ? found : found.slice(0, others);
		const last = rows.at(-1);
		if (last === undefined) return more ? 'news' : found.length === 0 ? AT_REST : 'nothing';
		const events = rows.flatMap((row) => auditNotice(eventOf(row)) ?? []);
		await db.transaction().execute(async (trx) => {
			if (!(await moveOn(trx, 'events', position, last.seq))) return;
			await fanOut(trx, events, { mail }, clock());
		});
	}
}
