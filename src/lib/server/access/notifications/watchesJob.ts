/**
 * Tells when something turns bad and when it is good again: a daemon, the notarizations of a chain, the audit log.
 * A state counts once it was seen for a while without a break, and what was told is stored: a restart repeats
 * nothing, and of two servers one looks.
 */
import type { Executor } from '../../platform/database/database.ts';
import type { Held } from '../../platform/jobs/runner.ts';
import type { AccessTables } from '../tables.ts';
import type { JobParts } from './eventsJob.ts';
import { fanOut } from './fanOut.ts';
import type { NoticeEvent } from './noticeEvent.ts';

/** What stands somewhere now. */
export interface Level {
	/** A stable name. */
	key: string;
	isBad: boolean;
	/** How long a state lasts until it counts, in milliseconds. */
	holdMs: number;
	/** What is told when it turned bad, and when it is good again. */
	bad: LevelNotice;
	good: LevelNotice;
}

export type LevelNotice = Pick<NoticeEvent, 'message' | 'path' | 'to'>;

/** Reads what it watches. What is not known now is left out. */
export type LevelSource = () => Promise<Level[]>;

const LOOK_EVERY_MS = 5_000;
/** Without a look for this long nobody knows what stood in between, in milliseconds. */
const BREAK_MS = 60_000;

/** Takes one look at one level; what there is to tell. */
async function look(
	trx: Executor<AccessTables>,
	{ key, isBad, holdMs, ...notices }: Level,
	now: number
): Promise<NoticeEvent | null> {
	const is = isBad ? 'bad' : 'good';
	const row = await trx
		.selectFrom('notice_watches')
		.selectAll()
		.where('key', '=', key)
		.executeTakeFirst();
	const told = row?.told ?? 'good';
	const unbroken = row !== undefined && row.seen === is && now - Number(row.looked_at) <= BREAK_MS;
	const since = unbroken ? Number(row.since) : now;
	const turns = told !== is && now - since >= holdMs;
	const episode = (row?.episode ?? 0n) + (turns ? 1n : 0n);
	const state = { told: turns ? is : told, seen: is, since, episode, looked_at: now } as const;
	await trx
		.insertInto('notice_watches')
		.values({ key, ...state })
		.onConflict((conflict) => conflict.column('key').doUpdateSet(state))
		.execute();
	return turns ? { source: `watch:${key}:${episode}`, at: now, ...notices[is] } : null;
}

export async function readLevels(
	{ db, mail, clock }: JobParts,
	sources: readonly LevelSource[],
	held: Held
): Promise<void> {
	const levels = (await Promise.all(sources.map((read) => read()))).flat();
	const now = clock();
	await db.transaction().execute(async (trx) => {
		await held.keep(trx);
		const events: NoticeEvent[] = [];
		for (const level of levels) {
			const event = await look(trx, level, now);
			if (event !== null) events.push(event);
		}
		await fanOut(trx, events, { mail }, now);
		await trx
			.updateTable('notice_jobs')
			.set({ due_at: now + LOOK_EVERY_MS })
			.where('id', '=', held.id)
			.execute();
	});
}
