/** Calls that had to wait for their place at a daemon or a trading node: by then their caller may do less. */
import type { Denial } from '#lib/messages/denials.ts';
import type { Awaitable } from '../../../platform/async/awaitable.ts';
import { AppError } from '../../../platform/errors/appError.ts';
import type { Member } from '../identity.ts';
import type { CallPolicy } from './authorizeCall.ts';
import type { CallDemands } from './demands.ts';

/** Why a call was kept that had been judged before it waited: nothing was sent. */
type Kept = { kind: 'denied'; denial: Denial } | { kind: 'ended' };

interface JudgedAfterWait {
	/** Asked before the call leaves. @throws {AppError} `queue.kept` */
	afterWait(): Promise<void>;
	/** Why it was kept, after that error. */
	kept(): Kept;
}

/**
 * While a call waits, its token may be revoked, or a role or a wallet taken away.
 * @param who the caller, as they are known by then; null when the call is nobody's any more
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
