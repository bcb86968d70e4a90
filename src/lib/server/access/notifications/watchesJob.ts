/**
 * Notifies when a watched state turns bad and when it is good again: a daemon, the notarizations of a chain,
 * the audit log. A state counts once it was seen for a while without interruption. The last reported state is
 * stored, so that a restart repeats nothing.
 */
import type { Selectable } from 'kysely';
import { HOUR_MS } from '#lib/text/units.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { AccessTables } from '../tables.ts';
import type { JobParts, Looked } from './eventsJob.ts';
import { fanOut } from './fanOut.ts';
import type { NoticeEvent } from './noticeEvent.ts';

/** A watched state as it is now. */
export interface Level {
	/** A stable name. */
	key: string;
	isBad: boolean;
	/** How long a state must last until it counts, in milliseconds. */
	holdMs: number;
	/**
	 * When this server's check found the state, for states that are checked periodically; a later finding of
	 * another server takes precedence. Unix milliseconds.
	 */
	foundAt?: number;
	/**
	 * Each server finds the state for itself, and findings may differ: it is bad while at least one server
	 * finds it bad.
	 */
	isOfServer?: boolean;
	/** The notices for turning bad and for being good again. */
	bad: LevelNotice;
	good: LevelNotice;
}

export type LevelNotice = Pick<NoticeEvent, 'message' | 'path' | 'to'>;

/** Reads the states that it watches. A state that is not known now is left out. */
export type LevelSource = () => Promise<Level[]>;

/** How often all states are read, in milliseconds. */
export const LEVELS_EVERY_MS = 5_000;
/**
 * After a gap of this length between two readings, the state in between counts as unknown, in milliseconds.
 */
const BREAK_MS = 60_000;
/** While a state lasts, it is written only this often, in milliseconds. */
const NOTED_EVERY_MS = 20_000;
/**
 * Largest plausible difference between servers' clocks: a finding further in the future comes from a wrong
 * clock. Milliseconds.
 */
const MOST_APART_MS = HOUR_MS;

type Row = Selectable<AccessTables['notice_watches']>;

/** The server that reads, and its clock. */
interface Looker {
	/** Unix milliseconds. */
	wall: number;
	/** Keys of the states that this server found bad at its last reading. */
	badHere: ReadonlySet<string>;
}

/** Computes the new row of a state from one reading and the stored row, and the notice to send, if any. */
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
	// A begin in the future comes from a wrong clock: the duration is counted from now.
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

/** The stored rows of these states, by key. */
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
 * Builds the function that reads all states once. Every server may run it at the same time: a member is
 * notified of each change once. While nothing changes, the rows are written only now and then.
 * @param clock Unix milliseconds; one that all servers share, since each reads when the others looked
 * @returns the function; it returns whether members were notified
 */
export function createReadLevels(
	{ db, mail }: JobParts,
	clock: () => number | Promise<number>,
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
		const isNews = await note(levels, await clock());
		badHere = new Set(levels.filter(({ isBad }) => isBad).map(({ key }) => key));
		return isNews ? 'news' : 'nothing';
	};
}
