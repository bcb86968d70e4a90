import { MINUTE_MS } from '#lib/text/units.ts';
import type { SessionFacts } from '../identity/identity.ts';

/** How long a confirmation (sign-in, password or second factor) lasts for administration, in milliseconds. */
export const CONFIRMED_FOR = 15 * MINUTE_MS;
/**
 * How long a confirmation lasts for writes of a member who has a second factor, in milliseconds. For reads,
 * {@link CONFIRMED_FOR} applies.
 */
const FACTOR_FOR = 5 * MINUTE_MS;

/**
 * Whether the session was confirmed recently: by a sign-in, by the password typed again, or, for a member who
 * has one, by the second factor. A time in the future does not count, because clocks can be set back.
 */
export function isConfirmed(
	{ confirmedAt, hasFactor }: Pick<SessionFacts, 'confirmedAt' | 'hasFactor'>,
	act: 'read' | 'write',
	now: number
): boolean {
	const lasts = hasFactor && act === 'write' ? FACTOR_FOR : CONFIRMED_FOR;
	return confirmedAt !== null && confirmedAt <= now && now - confirmedAt < lasts;
}

/** Whether a member who has a second factor must show it again before a send or another write. */
export const lacksStepUp = (
	session: Pick<SessionFacts, 'confirmedAt' | 'hasFactor'>,
	now: number
): boolean => session.hasFactor && !isConfirmed(session, 'write', now);
