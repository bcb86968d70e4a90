/** The caller at the present moment: while calls wait or run, a token may be revoked or a role changed. */
import type { Member } from '../../access/identity/identity.ts';
import type { Awaitable } from '../../platform/async/awaitable.ts';

/** Age after which the identity is looked up again, in milliseconds. */
export const AT_ONCE_MS = 1_000;

/** Returns the member who makes the request; null when the credential is no longer valid. */
export type WhoNow = () => Awaitable<Member | null>;

/** Identifies the caller of a request again. */
export type Look = () => Promise<Member | null>;

/** @param first the caller when the body had arrived; used while it is recent */
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
