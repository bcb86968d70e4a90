/**
 * Tells what tables say and no event does: rows that came into a state since the last look. The state is read, so
 * nothing has to call; what was told is known by its source.
 */
import type { JobParts, Looked } from './eventsJob.ts';
import { AT_REST } from '../../platform/jobs/rounds.ts';
import { fanOut } from './fanOut.ts';
import type { NoticeEvent } from './noticeEvent.ts';
import { moveOn, placeOf } from './place.ts';

/** Where changes of one sort are found. */
export interface ChangeSource {
	/** A stable name: its place in time is stored by it. */
	name: string;
	/** Rows come into it by their age, too, without a write. */
	agesIn?: true;
	/**
	 * What came to be at this moment or later, the oldest first, at most `limit`.
	 * @param since Unix milliseconds
	 * @param now nothing is later
	 */
	changes(since: number, now: number, limit: number): Promise<NoticeEvent[]>;
}

/** How often each source is looked at, in milliseconds. */
export const CHANGES_EVERY_MS = 2_000;
/** A row may be committed, or written by the clock of another server, that much late. Milliseconds. */
const SKEW_MS = 10_000;
/** While nothing is new, the place is moved on this seldom: what lies in between is read again. Milliseconds. */
const MOVED_EVERY_MS = 60_000;
const BATCH = 200;

export const jobOf = ({ name }: ChangeSource): string => `changes:${name}`;

type ReadChanges = () => Promise<Looked>;

/** Every server may look at the same time: one moves the place on, and of one source a member is told once. */
export function createReadChanges(
	{ db, mail, clock }: JobParts,
	source: ChangeSource
): ReadChanges {
	const id = jobOf(source);
	/** What lay in the time that was read at the last look, and is told. */
	let told: ReadonlySet<string> = new Set();

	return async () => {
		for (let more = false; ; more = true) {
			const position = await placeOf(db, id);
			const now = clock();
			// A place that lies ahead is of a clock that was wrong: what happens now is not behind it.
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
			// Another server was faster, which perhaps has not seen all of this.
			if (!moved) continue;
			told = new Set(found.map((event) => event.source));
			if (!full) return more || events.length > 0 ? 'news' : 'nothing';
		}
	};
}
