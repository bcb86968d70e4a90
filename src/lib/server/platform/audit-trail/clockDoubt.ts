/**
 * By how much the wall clock may be ahead. What is forgotten by its age comes back by no correction of the clock, so it
 * is taken to be younger by that much.
 */
import { sql, type QueryExecutorProvider } from 'kysely';

/** What counts as a move of the clock, in milliseconds: less of it makes nothing noticeably older. */
const NOTICED_MS = 1_000;
/** By then whoever set a clock wrong has seen it, in milliseconds. */
const DOUBTED_MS = 24 * 60 * 60 * 1000;

/** Milliseconds that the clock may be ahead. @param within the transaction in which something is to be forgotten */
type ClockDoubt = (within: QueryExecutorProvider) => Promise<number>;

/**
 * Doubts each move forwards for a day: one beside a clock that nobody sets, and at the start that past the last event of
 * the audit log.
 *
 * @param clock Unix milliseconds
 * @param steady a clock that nobody sets, milliseconds
 */
export function createClockDoubt(
	clock: () => number = Date.now,
	steady: () => number = () => performance.now()
): ClockDoubt {
	/** The one minus the other at the last look; null before the first. */
	let apart: number | null = null;
	let moves: { at: number; by: number }[] = [];

	return async (within) => {
		const last = apart ?? (await lastEventAt(within)) - steady();
		const at = steady();
		const by = clock() - at - last;
		apart = clock() - at;
		moves = moves.filter((move) => at - move.at < DOUBTED_MS);
		if (by > NOTICED_MS) moves.push({ at, by });
		return moves.reduce((sum, move) => sum + move.by, 0);
	};

	/** Unix milliseconds; the beginning of them where no event says anything of the time. */
	async function lastEventAt(within: QueryExecutorProvider): Promise<number> {
		const { rows } = await sql<{ time: bigint }>`select time from audit_events
			order by seq desc limit 1`.execute(within);
		return Number(rows[0]?.time ?? 0n);
	}
}
