/**
 * Check before signed bytes in a daemon's response are released: whoever has them can send them from
 * anywhere.
 */
import type { Denial } from '#lib/messages/denials.ts';
import { daemonMethods, type DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { returnsUnsent } from '#lib/rpc/method.ts';
import {
	hexOfAnswer,
	signatureRefusal,
	signedHex,
	type AnswerHex
} from '../../chains/daemon/signatures.ts';
import type { DaemonInfo, Gateway } from '../../chains/daemon/types.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import type { TokenSpending } from '../api-tokens/spending.ts';
import type { Refusals } from '../audit/refusals.ts';
import type { Rights } from '../rights/rights.ts';
import type { CallPolicy } from './authorizeCall.ts';
import { countSpend, overLimit, type GiveBack } from './countSpend.ts';
import { recordDenial } from './recordDenial.ts';
import type { Awaitable } from '../../platform/async/awaitable.ts';
import type { Member } from '../identity/identity.ts';
import { daemonDemands, type CallDemands } from './demands.ts';
import { keptNow, type Kept } from './judgeAgain.ts';

interface ReleaseParts {
	gateway: Gateway;
	policy: Pick<CallPolicy, 'releaseDenial'>;
	rights: Pick<Rights, 'measureSpend' | 'recordSpend' | 'giveBack' | 'withRequest'>;
	tokenSpending: TokenSpending;
	refusals: Pick<Refusals, 'refused'>;
}

/** The rights for bytes that the next call builds differently: no one is asked to approve them. */
const withoutRequests = (rights: ReleaseParts['rights']): ReleaseParts['rights'] => ({
	...rights,
	withRequest: (error) => {
		if (!isAppError(error, 'policy.needs-approval')) return Promise.resolve(error);
		const { rule, needed } = error.params;
		return Promise.resolve(new AppError('policy.built-anew', { rule, needed }));
	}
});

/** A call that was sent. */
export interface MadeCall {
	method: DaemonMethod;
	/** JSON texts. */
	params: readonly string[];
}

/**
 * Decides whether the response to those calls may be released that can return signed bytes. Returns why not,
 * and has logged a denial; null when it may be released and its signed bytes were counted.
 * @param caller the member for whom the calls were authorized
 * @param who reads the caller's current identity; null when it is no longer valid
 * @param answerOf returns the text of the response to these calls
 */
export type ReleaseAnswer = (
	caller: Member,
	who: () => Awaitable<Member | null>,
	daemon: DaemonInfo,
	calls: readonly MadeCall[],
	answerOf: (signing: readonly MadeCall[]) => string
) => Promise<Kept | null>;

const NOTHING_SIGNED = Promise.resolve(null);

/** Builds the check of answers. */
export function createReleaseAnswer({
	gateway,
	policy,
	rights,
	tokenSpending,
	refusals
}: ReleaseParts): ReleaseAnswer {
	async function unsafeSignature(
		daemon: DaemonInfo,
		given: string,
		found: readonly AnswerHex[]
	): Promise<Denial | null> {
		const why = await signatureRefusal(gateway, daemon.id, given, found);
		return why && { code: 'signature', why };
	}

	/**
	 * Counts signed transactions before a member gets their bytes. Sending them later does not count them
	 * again. Measuring asks a daemon, so the caller's rights are checked again after it.
	 */
	async function beyondLimits(
		caller: Member,
		who: Parameters<ReleaseAnswer>[1],
		daemon: DaemonInfo,
		found: readonly AnswerHex[],
		demands: readonly CallDemands[]
	): Promise<Kept | null> {
		// Of the methods that return signed bytes, only this one returns the same when it is called again.
		const isRepeatable = demands.every(({ method }) => method.name === 'signrawtransaction');
		const judged = { rights: isRepeatable ? rights : withoutRequests(rights), tokenSpending };
		const counted: GiveBack[] = [];
		/** The whole response is held back, so the transactions counted so far are not released either. */
		const held = async (kept: Kept): Promise<Kept> => {
			for (const giveBack of counted) await giveBack();
			return kept;
		};
		try {
			for (const hex of signedHex(found)) {
				const spend = await rights.measureSpend(caller.account.name, daemon.id, hex);
				const now = await who();
				const kept = await keptNow(policy.releaseDenial, now, demands);
				if (kept !== null) return await held(kept);
				counted.push(await countSpend(judged, now!, spend));
			}
			return null;
		} catch (error) {
			return held({ kind: 'denied', denial: overLimit(error) });
		}
	}

	async function released(
		caller: Member,
		who: Parameters<ReleaseAnswer>[1],
		daemon: DaemonInfo,
		signing: readonly [MadeCall, ...MadeCall[]],
		answerOf: Parameters<ReleaseAnswer>[4]
	): Promise<Kept | null> {
		const found = hexOfAnswer(answerOf(signing));
		const one = new Map(signing.map((call) => [call.method, call])).values();
		const demands = [...one].map(({ method, params }) => daemonDemands(daemon, method, params));
		const given = signing.flatMap(({ params }) => params).join('\n');
		const unsafe = await unsafeSignature(daemon, given, found);
		const kept: Kept | null =
			unsafe === null
				? await beyondLimits(caller, who, daemon, found, demands)
				: { kind: 'denied', denial: unsafe };
		if (kept?.kind === 'denied') {
			const [first] = signing;
			const tried = daemonDemands(daemon, first.method, first.params);
			await recordDenial(refusals, caller, tried, kept.denial);
		}
		return kept;
	}

	return (caller, who, daemon, calls, answerOf) => {
		const signing = calls.filter(({ method }) => returnsUnsent(daemonMethods[method]));
		const [first, ...others] = signing;
		return first === undefined
			? NOTHING_SIGNED
			: released(caller, who, daemon, [first, ...others], answerOf);
	};
}
