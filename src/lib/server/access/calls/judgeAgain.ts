/**
 * Second authorization of calls that waited for a daemon or trading node: meanwhile the caller may have lost the
 * right.
 */
import { changesNothing } from '#lib/rpc/method.ts';
import type { Denial } from '#lib/messages/denials.ts';
import type { Awaitable } from '../../platform/async/awaitable.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { Member } from '../identity/identity.ts';
import type { CallPolicy } from './authorizeCall.ts';
import type { CallDemands } from './demands.ts';

/** Why a call that had been authorized is not allowed any more. */
export type Kept = { kind: 'denied'; denial: Denial } | { kind: 'ended' };

interface JudgedBeforeSend {
	/**
	 * Runs right before the call is sent.
	 * @throws {AppError} `queue.kept`
	 */
	beforeSend(): Promise<void>;
	/** The reason behind a `queue.kept` error of {@link beforeSend}. */
	kept(): Kept;
}

/**
 * Judges calls by their caller's current identity; null when all of them are still allowed.
 * @param judge decides about one of them
 */
export async function keptNow(
	judge: CallPolicy['authorizeAgain'],
	identity: Member | null,
	calls: readonly CallDemands[]
): Promise<Kept | null> {
	if (identity === null) return { kind: 'ended' };
	for (const call of calls) {
		const denial = await judge(identity, call);
		if (denial !== null) return { kind: 'denied', denial };
	}
	return null;
}

/**
 * Authorizes a read again before its response is returned, if its caller was looked up anew since: reads share their
 * calls, so none of them is stopped in the queue. Not where every member may call the method (`read`), nor for a method
 * that changes something, whose effect its caller must learn.
 * @param first the caller for whom the read was authorized
 * @param who reads the caller's current identity; null when it is no longer valid
 * @returns why the response must not be returned; null, without a promise where nothing is to be checked, when it may
 */
export function judgedRead(
	policy: Pick<CallPolicy, 'authorizeAgain'>,
	first: Member,
	who: () => Awaitable<Member | null>,
	call: CallDemands
): Awaitable<Kept | null> {
	if (call.access === 'read' || !changesNothing(call.method.access)) return null;
	const now = who();
	if (now instanceof Promise)
		return now.then((identity) => keptNow(policy.authorizeAgain, identity, [call]));
	return now === first ? null : keptNow(policy.authorizeAgain, now, [call]);
}

/**
 * Authorizes a call again right before it is sent: meanwhile its token may have been revoked, or a role or wallet
 * withdrawn.
 * @param who reads the caller's current identity; null when it is no longer valid
 */
export function judgedBeforeSend(
	policy: Pick<CallPolicy, 'authorizeAgain'>,
	who: () => Awaitable<Member | null>,
	call: CallDemands
): JudgedBeforeSend {
	let kept: Kept = { kind: 'ended' };
	return {
		kept: () => kept,
		async beforeSend() {
			const no = await keptNow(policy.authorizeAgain, await who(), [call]);
			if (no === null) return;
			kept = no;
			throw new AppError('queue.kept');
		}
	};
}
