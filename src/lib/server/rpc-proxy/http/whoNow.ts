/** Who calls, as of now: while the calls of a request wait or are made, a token may be revoked and a role change. */
import type { Member } from '../../access/policy/identity.ts';
import type { Awaitable } from '../../platform/async/awaitable.ts';

/** What was seen so long ago may have changed, in milliseconds. */
export const AT_ONCE_MS = 1_000;

/** The member for whom a request still is; null when it is nobody's any more. */
export type WhoNow = () => Awaitable<Member | null>;

/** Looks at the credential of a request once more. */
export type Look = () => Promise<Member | null>;

/**
 * @param first whom the request was for when its body had come; it is given for as long as that is just now
 */
export function whoNow(first: Member, look: Look): WhoNow {
	let seen: Member | null = first;
	let at = performance.now();
	const lookAgain = async (): Promise<Member | null> => {
		seen = await look();
		at = performance.now();
		return seen;
	};
	return () => (seen === null || performance.now() - at <= AT_ONCE_MS ? seen : lookAgain());
}
