import type { SessionFacts } from './identity.ts';

/** How long what somebody typed to show who they are lets them administer, in milliseconds. */
export const CONFIRMED_FOR = 15 * 60 * 1000;
/** How long a second factor lets somebody act who has one, in milliseconds; they read as long as others. */
const FACTOR_FOR = 5 * 60 * 1000;

/**
 * Whether the person of a session showed lately that it is still them. A sign-in counts, and the password
 * typed once more, or, of a member who has one, the second factor; a time in the future does not, for clocks
 * are set back.
 */
export function isConfirmed(
	{ confirmedAt, hasFactor }: Pick<SessionFacts, 'confirmedAt' | 'hasFactor'>,
	act: 'read' | 'write',
	now: number
): boolean {
	const lasts = hasFactor && act === 'write' ? FACTOR_FOR : CONFIRMED_FOR;
	return confirmedAt !== null && confirmedAt <= now && now - confirmedAt < lasts;
}

/** Whether a member who has a second factor must show it again before a send, or what else writes. */
export const lacksStepUp = (
	session: Pick<SessionFacts, 'confirmedAt' | 'hasFactor'>,
	now: number
): boolean => session.hasFactor && !isConfirmed(session, 'write', now);
