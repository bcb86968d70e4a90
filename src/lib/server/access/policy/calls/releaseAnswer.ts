/**
 * Check before signed bytes in a daemon's response are released: whoever has them can send them from
 * anywhere.
 */
import type { Denial } from '#lib/messages/denials.ts';
import { daemonMethods, type DaemonMethod } from '#lib/rpc/daemon/index.ts';
import {
	hexOfAnswer,
	signatureRefusal,
	signedHex,
	type AnswerHex
} from '../../../chains/daemon/signatures.ts';
import type { DaemonInfo, Gateway } from '../../../chains/daemon/types.ts';
import type { TokenSpending } from '../../api-tokens/spending.ts';
import type { Refusals } from '../../audit/refusals.ts';
import type { Rights } from '../limits/rights.ts';
import { countSpend, overLimit, recordDenial, type GiveBack } from './authorizeCall.ts';
import type { Member } from '../identity.ts';
import { daemonDemands } from './demands.ts';

interface ReleaseParts {
	gateway: Gateway;
	rights: Pick<Rights, 'measureSpend' | 'recordSpend' | 'giveBack' | 'withRequest'>;
	tokenSpending: TokenSpending;
	refusals: Pick<Refusals, 'refused'>;
}

/** A call that was sent. */
export interface MadeCall {
	method: DaemonMethod;
	/** JSON texts. */
	params: readonly string[];
}

/**
 * Decides whether the response to calls may be released. Returns the denial, which was logged; null when it
 * may be released and its signed bytes were counted.
 * @param answerOf returns the text of the response to these calls
 */
export type ReleaseAnswer = (
	identity: Member,
	daemon: DaemonInfo,
	calls: readonly MadeCall[],
	answerOf: (signing: readonly MadeCall[]) => string
) => Promise<Denial | null>;

const NOTHING_SIGNED = Promise.resolve(null);

/** Builds the check of answers. */
export function createReleaseAnswer({
	gateway,
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
	 * again.
	 */
	async function beyondLimits(
		identity: Member,
		daemon: DaemonInfo,
		found: readonly AnswerHex[]
	): Promise<Denial | null> {
		const counted: GiveBack[] = [];
		try {
			for (const hex of signedHex(found)) {
				const spend = await rights.measureSpend(identity.account.name, daemon.id, hex);
				counted.push(await countSpend({ rights, tokenSpending }, identity, spend));
			}
			return null;
		} catch (error) {
			// The whole response is held back, so the transactions counted so far are not released either.
			for (const giveBack of counted) await giveBack();
			return overLimit(error);
		}
	}

	/** @param first the first of the signing calls, which is the one logged */
	async function released(
		identity: Member,
		daemon: DaemonInfo,
		first: MadeCall,
		signing: readonly MadeCall[],
		answerOf: Parameters<ReleaseAnswer>[3]
	): Promise<Denial | null> {
		const found = hexOfAnswer(answerOf(signing));
		const given = signing.flatMap(({ params }) => params).join('\n');
		const denial =
			(await unsafeSignature(daemon, given, found)) ??
			(await beyondLimits(identity, daemon, found));
		if (denial !== null) {
			const demands = daemonDemands(daemon, first.method, first.params);
			await recordDenial(refusals, identity, demands, denial);
		}
		return denial;
	}

	return (identity, daemon, calls, answerOf) => {
		const signing = calls.filter(({ method }) => daemonMethods[method].signs);
		const [first] = signing;
		return first === undefined
			? NOTHING_SIGNED
			: released(identity, daemon, first, signing, answerOf);
	};
}
