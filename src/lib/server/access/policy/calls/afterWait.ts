/**
 * Second authorization of calls that waited in the queue of a daemon or trading node: meanwhile the caller
 * may have lost the right.
 */
import type { Denial } from '#lib/messages/denials.ts';
import type { Awaitable } from '../../../platform/async/awaitable.ts';
import { AppError } from '../../../platform/errors/appError.ts';
import type { Member } from '../identity.ts';
import type { CallPolicy } from './authorizeCall.ts';
import type { CallDemands } from './demands.ts';

/** Why a call that had been authorized was stopped after its wait. Nothing was sent. */
type Kept = { kind: 'denied'; denial: Denial } | { kind: 'ended' };

interface JudgedAfterWait {
	/**
	 * Runs right before the call is sent.
	 * @throws {AppError} `queue.kept`
	 */
	afterWait(): Promise<void>;
	/** The reason behind a `queue.kept` error that {@link afterWait} threw. */
	kept(): Kept;
}

/**
 * Authorizes a call again after its wait: meanwhile its token may have been revoked, or a role or wallet
 * withdrawn.
 * @param who reads the caller's current identity; null when it is no longer valid
 */
export function judgedAfterWait(
	policy: Pick<CallPolicy, 'authorizeAgain'>,
	who: () => Awaitable<Member | null>,
	call: CallDemands
): JudgedAfterWait {
	let kept: Kept = { kind: 'ended' };
	return {
		kept: () => kept,
		async afterWait() {
			const identity = await who();
			const denial = identity && (await policy.authorizeAgain(identity, call));
			if (identity !== null && denial === null) return;
			kept = denial === null ? { kind: 'ended' } : { kind: 'denied', denial };
			throw new AppError('queue.kept');
		}
	};
}
