/**
 * Creates notices for changes that tables show and no audit event does: rows that entered a state since the
 * last poll. The tables are polled, so other code need not report changes; the `source` of a notice tells
 * what has been reported.
 */
import type { JobParts, Looked } from './eventsJob.ts';
import { AT_REST } from '../../platform/jobs/rounds.ts';
import { fanOut } from './fanOut.ts';
import type { NoticeEvent } from './noticeEvent.ts';
import { moveOn, placeOf } from './place.ts';

/** A table or query in which one sort of changes is found. */
export interface ChangeSource {
	/** A stable name, under which the position in time is stored. */
	name: string;
	/** Whether rows can become changes by their age alone, without a write. */
	agesIn?: true;
	/**
	 * Returns the changes at this moment or later, oldest first, at most `limit`.
	 * @param since Unix milliseconds
	 * @param now the latest moment to include, Unix milliseconds
	 */
	changes(since: number, now: number, limit: number): Promise<NoticeEvent[]>;
}

/** How often each source is polled, in milliseconds. */
export const CHANGES_EVERY_MS = 2_000;
/**
 * How late a row may appear, because its transaction commits later or another server's clock is behind.
 * Milliseconds.
 */
const SKEW_MS = 10_000;
/**
 * While nothing is new, the position advances only this often; the time since then is read again.
 * Milliseconds.
 */
const MOVED_EVERY_MS = 60_000;
const BATCH = 200;

/** Returns the name under which the position of a source is stored. */
export const jobOf = ({ name }: ChangeSource): string => `changes:${name}`;

type ReadChanges = () => Promise<Looked>;

/**
 * Every server may poll at the same time: one advances the position, and a member is notified once per
 * source.
 */
export function createReadChanges(
	{ db, mail, clock }: JobParts,
	source: ChangeSource
): ReadChanges {
	const id = jobOf(source);
	/** Sources of the changes within the time that is read again, which have been reported. */
	let told: ReadonlySet<string> = new Set();

	return async () => {
		for (let more = false; ; more = true) {
			const position = await placeOf(db, id);
			const now = clock();
			// A position in the future comes from a wrong clock: changes from now on must not be skipped.
			const since = Math.min(Number(position), now - SKEW_MS);
			const found = await source.changes(since, now, BATCH);
			const full = found.length === BATCH;
			const last = found.at(-1)?.at ?? since;
			const events = found.filter((event) => !told.has(event.source));
			if (events.length === 0 && !full && now - SKEW_MS - since < MOVED_EVERY_MS) {
				if (more) return 'news';
				return found.length === 0 && source.agesIn !== true ? AT_REST : 'nothing';
			}
			// Within the skew everything is read again; a batch that it fills on its own is got over.
			const next = full ? Math.max(last, since + 1) : Math.max(since, now - SKEW_MS);
			const moved = await db.transaction().execute(async (trx) => {
				if (!(await moveOn(trx, id, position, BigInt(next)))) return false;
				await fanOut(trx, events, { mail }, now);
				return true;
			});
			// Another server advanced the position first, and may not have seen all of these changes.
			if (!moved) continue;
			told = new Set(found.map((event) => event.source));
			if (!full) return more || events.length > 0 ? 'news' : 'nothing';
		}
	};
}
