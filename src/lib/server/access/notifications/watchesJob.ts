/**
 * Tells when something turns bad and when it is good again: a daemon, the notarizations of a chain, the audit log.
 * A state counts once it was seen for a while without a break, and what was told is stored: a restart repeats
 * nothing.
 */
import type { Selectable } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import type { AccessTables } from '../tables.ts';
import type { JobParts, Looked } from './eventsJob.ts';
import { fanOut } from './fanOut.ts';
import type { NoticeEvent } from './noticeEvent.ts';

/** What stands somewhere now. */
export interface Level {
	/** A stable name. */
	key: string;
	isBad: boolean;
	/** How long a state lasts until it counts, in milliseconds. */
	holdMs: number;
	/**
	 * When a check of this server found it, where it is found now and then: what another server has found later counts.
	 * Unix milliseconds.
	 */
	foundAt?: number;
	/** Each server finds it for itself, and another one may find something else: it is bad while one of them finds it so. */
	isOfServer?: boolean;
	/** What is told when it turned bad, and when it is good again. */
	bad: LevelNotice;
	good: LevelNotice;
}

export type LevelNotice = Pick<NoticeEvent, 'message' | 'path' | 'to'>;

/** Reads what it watches. What is not known now is left out. */
export type LevelSource = () => Promise<Level[]>;

/** How often all are looked at, in milliseconds. */
export const LEVELS_EVERY_MS = 5_000;
/** Without a look for this long nobody knows what stood in between, in milliseconds. */
const BREAK_MS = 60_000;
/** That a state lasts is written this seldom, in milliseconds. */
const NOTED_EVERY_MS = 20_000;
/** Clocks of servers are no further apart: what was found that far ahead was found by one that was wrong. Milliseconds. */
const MOST_APART_MS = 60 * 60_000;

type Row = Selectable<AccessTables['notice_watches']>;

/** Who looks. */
interface Looker {
	/** Unix milliseconds. */
	wall: number;
	/** What this server found bad at its last look. */
	badHere: ReadonlySet<string>;
}

/** What one look at a level makes of what was stored of it, and what there is to tell. */
function looked(
	{ key, isBad, holdMs, foundAt, isOfServer = false, ...notices }: Level,
	row: Row | undefined,
	{ wall, badHere }: Looker
): { row: Row; isNews: boolean; event: NoticeEvent | null } {
	const now = foundAt ?? wall;
	const isOutdated =
		foundAt !== undefined &&
		row !== undefined &&
		row.looked_at > BigInt(now) &&
		row.looked_at <= BigInt(wall + MOST_APART_MS);
	const isBadElsewhere =
		isOfServer &&
		!isBad &&
		row?.seen === 'bad' &&
		!badHere.has(key) &&
		Math.abs(now - Number(row.looked_at)) <= BREAK_MS;
	if (isOutdated || isBadElsewhere) return { row, isNews: false, event: null };
	const is = isBad ? 'bad' : 'good';
	const told = row?.told ?? 'good';
	const age = now - Number(row?.looked_at ?? 0n);
	// What began ahead of now began by a clock that was wrong: how long it lasts is counted from now on.
	const isPast = row !== undefined && row.since <= BigInt(now);
	const unbroken = isPast && row.seen === is && age <= BREAK_MS;
	const since = unbroken ? row.since : BigInt(now);
	const turns = told !== is && now - Number(since) >= holdMs;
	const episode = (row?.episode ?? 0n) + (turns ? 1n : 0n);
	return {
		row: { key, told: turns ? is : told, seen: is, since, episode, looked_at: BigInt(now) },
		isNews: turns || !unbroken || age >= NOTED_EVERY_MS,
		event: turns ? { source: `watch:${key}:${episode}`, at: now, ...notices[is] } : null
	};
}

/** What is stored of these levels. */
const rowsOf = async (
	db: Executor<AccessTables>,
	levels: readonly Level[]
): Promise<Map<string, Row>> => {
	const keys = levels.map(({ key }) => key);
	if (keys.length === 0) return new Map();
	const rows = await db.selectFrom('notice_watches').selectAll().where('key', 'in', keys).execute();
	return new Map(rows.map((row) => [row.key, row]));
};

/**
 * Makes what looks at all of them once. Every server may do so at the same time: of one turn a member is told once.
 * Where nothing turns, that it lasts is written now and then.
 * @returns the look; it says whether there was anything to tell
 */
export function createReadLevels(
	{ db, mail, clock }: JobParts,
	sources: readonly LevelSource[]
): () => Promise<Looked> {
	let badHere: ReadonlySet<string> = new Set();

	async function note(levels: readonly Level[], wall: number): Promise<boolean> {
		const stored = await rowsOf(db, levels);
		const by = { wall, badHere };
		if (!levels.some((level) => looked(level, stored.get(level.key), by).isNews)) return false;
		return db.transaction().execute(async (trx) => {
			const rows = await rowsOf(trx, levels);
			const events: NoticeEvent[] = [];
			for (const level of levels) {
				const { row, isNews, event } = looked(level, rows.get(level.key), by);
				if (!isNews) continue;
				if (event !== null) events.push(event);
				const { key, ...state } = row;
				await trx
					.insertInto('notice_watches')
					.values({ key, ...state })
					.onConflict((conflict) => conflict.column('key').doUpdateSet(state))
					.execute();
			}
			await fanOut(trx, events, { mail }, wall);
			return events.length > 0;
		});
	}

	return async () => {
		const levels = (await Promise.all(sources.map((read) => read()))).flat();
		const isNews = await note(levels, clock());
		badHere = new Set(levels.filter(({ isBad }) => isBad).map(({ key }) => key));
		return isNews ? 'news' : 'nothing';
	};
}
