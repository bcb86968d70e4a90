/**
 * Tells what tables say and no event does: rows that came into a state since the last look. The state is read, so
 * nothing has to call; what was told is known by its source.
 */
import type { Held } from '../../platform/jobs/runner.ts';
import type { JobParts } from './eventsJob.ts';
import { fanOut } from './fanOut.ts';
import type { NoticeEvent } from './noticeEvent.ts';

/** Where changes of one sort are found. */
export interface ChangeSource {
	/** A stable name: its place in time is stored by it. */
	name: string;
	/**
	 * What came to be at this moment or later, the oldest first, at most `limit`.
	 * @param since Unix milliseconds
	 * @param now nothing is later
	 */
	changes(since: number, now: number, limit: number): Promise<NoticeEvent[]>;
}

const LOOK_EVERY_MS = 2_000;
/** A row may be committed, or written by the clock of another server, that much late. Milliseconds. */
const SKEW_MS = 10_000;
const BATCH = 200;

export const jobOf = ({ name }: ChangeSource): string => `changes:${name}`;

export async function readChanges(
	{ db, mail, clock }: JobParts,
	source: ChangeSource,
	held: Held
): Promise<void> {
	const { position } = await db
		.selectFrom('notice_jobs')
		.select('position')
		.where('id', '=', held.id)
		.executeTakeFirstOrThrow();
	const now = clock();
	const since = Number(position);
	const events = await source.changes(since, now, BATCH);
	const full = events.length === BATCH;
	const last = events.at(-1)?.at ?? since;
	// Within the skew everything is read again; a batch that it fills on its own is got over.
	const next = full ? Math.max(last, since + 1) : Math.max(since, now - SKEW_MS);
	await db.transaction().execute(async (trx) => {
		await held.keep(trx);
		await fanOut(trx, events, { mail }, now);
		await trx
			.updateTable('notice_jobs')
			.set({ position: next, due_at: full ? now : now + LOOK_EVERY_MS })
			.where('id', '=', held.id)
			.execute();
	});
}
