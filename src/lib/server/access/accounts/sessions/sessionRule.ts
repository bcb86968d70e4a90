import type { Selectable } from 'kysely';
import type { SessionsTable } from '../tables.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

/** How long sessions last, as admins decide. */
export interface SessionRule {
	/** A session ends when it was not used for this long. */
	idleHours: number;
	/** It ends so long after the sign-in, used or not. */
	mostDays: number;
}

/** A session's row, as far as it says when it ends. */
type EndingRow = Pick<
	Selectable<SessionsTable>,
	'created_at' | 'last_seen_at' | 'expires_at' | 'ends_at'
>;

/**
 * When a session ends by what it was given and by the rule of now, whichever is first. Unix milliseconds. One that
 * begins further ahead than it may go unused began by a clock that was wrong, which would let it outlive its limits by
 * as much: it has ended.
 */
export function endOfSession(
	{ created_at, last_seen_at, expires_at, ends_at }: EndingRow,
	{ idleHours, mostDays }: SessionRule,
	now: number
): number {
	if (Number(created_at) > now + idleHours * HOUR) return now;
	return Math.min(
		Number(ends_at),
		Number(expires_at),
		Number(created_at) + mostDays * DAY,
		Number(last_seen_at) + idleHours * HOUR
	);
}
