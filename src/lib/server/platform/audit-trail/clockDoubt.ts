/**
 * Estimates by how much the wall clock may be ahead. Data deleted because of its age cannot be restored by
 * correcting the clock later, so callers treat it as younger by that much.
 */
import { sql, type QueryExecutorProvider } from 'kysely';
import { DAY_MS } from '#lib/text/units.ts';

/** Smallest jump of the clock that counts, in milliseconds: a smaller one makes nothing noticeably older. */
const NOTICED_MS = 1_000;
/** How long a jump is doubted, in milliseconds: by then an admin has noticed a wrongly set clock. */
const DOUBTED_MS = DAY_MS;

/**
 * Returns the milliseconds that the clock may be ahead. @param within the transaction in which something is to
 * be deleted
 */
export type ClockDoubt = (within: QueryExecutorProvider) => Promise<number>;

/**
 * Doubts each forward jump of the wall clock for a day. Jumps are measured against a monotonic clock; at
 * process start, the time since the last event of the audit log counts as a jump. So does the longest time
 * without an event that ended within the last day: after a jump, another process may have added an event by the
 * wrong clock.
 *
 * @param clock the wall clock, Unix milliseconds; undefined: that of this machine
 * @param steady a monotonic clock, milliseconds
 */
export function createClockDoubt(
	clock: () => number | Promise<number> = Date.now,
	steady: () => number = () => performance.now()
): ClockDoubt {
	/** Wall clock minus monotonic clock at the last reading; null before the first. */
	let apart: number | null = null;
	let moves: { at: number; by: number }[] = [];

	return async (within) => {
		const now = await clock();
		const at = steady();
		const first = apart === null ? await unrecorded(within, now) : 0;
		// Of first readings at the same time, one counts.
		const by = apart === null ? first : now - at - apart;
		apart = now - at;
		moves = moves.filter((move) => at - move.at < DOUBTED_MS);
		if (by > NOTICED_MS) moves.push({ at, by });
		return moves.reduce((sum, move) => sum + move.by, 0);
	};
}

/** Milliseconds without an event that may have been a jump; an empty log records no time at all. */
async function unrecorded(within: QueryExecutorProvider, now: number): Promise<number> {
	const upTo = BigInt(Math.floor(now));
	const { rows } = await sql<{ last: bigint | null; gap: bigint | null }>`select
		(select time from audit_events order by seq desc limit 1) as last,
		(select max(gap) from (
			select time - lag(time) over (order by time) as gap from audit_events
			where time <= ${upTo} and time >= coalesce(
				(select max(time) from audit_events where time <= ${upTo - BigInt(DOUBTED_MS)}), 0)
		) as gaps) as gap`.execute(within);
	const { last = null, gap = null } = rows[0] ?? {};
	return Math.max(0, now - Number(last ?? 0n)) + Number(gap ?? 0n);
}
