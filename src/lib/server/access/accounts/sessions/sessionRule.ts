import type { Selectable } from 'kysely';
import { DAY_MS, HOUR_MS } from '#lib/text/units.ts';
import type { SessionsTable } from '../tables.ts';

/** How long sessions last, as admins decide. */
export interface SessionRule {
	/** Idle timeout: a session ends when it was unused for this long. */
	idleHours: number;
	/** A session ends this long after the sign-in, used or not. */
	mostDays: number;
}

/** The columns that determine when a session ends. */
type EndingRow = Pick<
	Selectable<SessionsTable>,
	'created_at' | 'last_seen_at' | 'expires_at' | 'ends_at'
>;

/**
 * When a session ends, by its own limits and by the current rule, whichever is first. Unix milliseconds. A
 * session whose begin lies further ahead than the idle timeout was begun by a wrong clock and would outlive
 * its limits accordingly: it counts as ended.
 */
export function endOfSession(
	{ created_at, last_seen_at, expires_at, ends_at }: EndingRow,
	{ idleHours, mostDays }: SessionRule,
	now: number
): number {
	if (Number(created_at) > now + idleHours * HOUR_MS) return now;
	return Math.min(
		Number(ends_at),
		Number(expires_at),
		Number(created_at) + mostDays * DAY_MS,
		Number(last_seen_at) + idleHours * HOUR_MS
	);
}
