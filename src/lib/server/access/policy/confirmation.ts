import type { SessionFacts } from './identity.ts';

/** How long what somebody typed to show who they are lets them administer, in milliseconds. */
export const CONFIRMED_FOR = 15 * 60 * 1000;

/**
 * Whether the person of a session showed lately that it is still them. A sign-in counts, and the password
 * typed once more; a time in the future does not, for clocks are set back.
 */
export function isConfirmed(
	{ confirmedAt }: Pick<SessionFacts, 'confirmedAt'>,
	now: number
): boolean {
	return confirmedAt !== null && confirmedAt <= now && now - confirmedAt < CONFIRMED_FOR;
}
