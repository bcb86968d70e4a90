import { randomUUID } from 'node:crypto';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { withOwn } from '../policy/rules/facts.ts';
import { plannedTransfer } from '../policy/measuring/movements.ts';
import type { RightsDependencies } from './dependencies.ts';
import { isLimited } from './limitRefusal.ts';
import { doerOf, measureSpend } from './measureSpend.ts';
import { refusalOf } from './recordSpend.ts';
import { isRefused, isUnmeasured, type Refused } from './refused.ts';
import { restsOnDoubt } from './restsOnDoubt.ts';
import type { Counted } from './spend.ts';

/** Signed bytes that may be sent. */
export interface Foreseeable {
	chain: string;
	daemon: string;
	hex: string;
	/** Of a burn: the serialized outputs of its import, hex. */
	payouts?: string | null;
}

/**
 * Returns why the rules, and then the limits, would refuse these bytes if this member sent them now. Null
 * where they would pass, and where it cannot be determined now. Nothing is counted, requested or logged: the
 * bytes are judged when they are sent.
 */
export async function foreseen(
	deps: RightsDependencies,
	member: string,
	{ chain, daemon, hex, payouts }: Foreseeable
): Promise<Refused | null> {
	// Measuring queries the daemon: skip it when no rule or limit applies.
	if (!(await isLimited(deps, member, chain))) return null;
	try {
		const { account, ...spend } = await measureSpend(deps, member, daemon, hex, payouts);
		if (account === null) return null;
		const no = await ruleRefusal(deps, { ...spend, account });
		return no ?? (await deps.limits.look({ ...spend, account }));
	} catch (error) {
		if (!isRefused(error)) throw error;
		return isUnmeasured(error) ? null : error;
	}
}

/** Returns why the rules would refuse a spend that was not judged yet; null where they would not, or where that is unknown. */
async function ruleRefusal(
	{ policies }: RightsDependencies,
	spend: Counted
): Promise<Refused | null> {
	if (await policies.isRecorded(spend)) return null;
	const verdict = await policies.look(spend);
	const no = refusalOf(verdict);
	if (no === null) return null;
	const look = (movements: Counted['movements']) => policies.look({ ...spend, movements });
	return (await restsOnDoubt(verdict, spend, look)) === null ? no : null;
}

/** Transfers of one token, in the order in which they are to be sent. Keys are hex. */
interface PlannedTransfers {
	chain: string;
	daemon: string;
	pubkey: string;
	tokenid: string;
	rows: readonly { recipient: string; units: bigint }[];
}

/**
 * Judges several transfers that are not built yet by the rules, each after those before it, as if this member
 * sent them. Limits are not checked: amounts are measured only from bytes.
 * @returns for each transfer, in order, why it would be refused, or null; empty where no rule can hold anything
 *   back, or the member does not exist
 */
export async function foreseenTransfers(
	deps: RightsDependencies,
	member: string,
	{ chain, daemon: wallet, pubkey, tokenid, rows }: PlannedTransfers
): Promise<(Refused | null)[]> {
	const { account, ...doer } = await doerOf(deps, member);
	if (account === null || !(await deps.policies.holdsBack())) return [];
	const keys = [pubkey, ...rows.map(({ recipient }) => recipient)];
	const { own, doubt } = await deps.measurer.ownAmong(keys.map(addressOfPubkey));
	const named = own.has(addressOfPubkey(pubkey)) ? pubkey : null;
	const transfers = rows.map(({ recipient, units }) => ({
		...doer,
		account,
		wallet,
		ref: randomUUID(),
		movements: withOwn([plannedTransfer({ chain, tokenid, recipient, units }, named)], own)
	}));
	/** Whether a daemon could not be asked if its wallet has the key: what the rules would decide is unknown. */
	const isDoubted = (key: string): boolean => doubt?.addresses.has(addressOfPubkey(key)) === true;
	const verdicts = await deps.policies.lookInOrder(transfers);
	return verdicts.map((verdict, at) =>
		isDoubted(pubkey) || isDoubted(rows[at]!.recipient) ? null : refusalOf(verdict)
	);
}
