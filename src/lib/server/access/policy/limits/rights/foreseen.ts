import { randomUUID } from 'node:crypto';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { isAppError } from '../../../../platform/errors/appError.ts';
import { withOwn } from '../../rules/facts.ts';
import { plannedTransfer } from '../../rules/movements.ts';
import type { RightsDependencies } from './dependencies.ts';
import { isLimited } from './limitRefusal.ts';
import { doerOf, measureSpend } from './measureSpend.ts';
import { refusalOf } from './recordSpend.ts';
import { isRefused, type Refused } from './refused.ts';

/** Signed bytes that may be sent. */
export interface Foreseeable {
	chain: string;
	daemon: string;
	hex: string;
	/** Of a burn: the serialized outputs of its import, hex. */
	payouts?: string | null;
}

/**
 * What the rules, and then the limits, would say if this person sent these bytes now; null where they let them out, and
 * where it cannot be told now. Nothing is counted, asked for or put on record: what goes out is judged when it does.
 */
export async function foreseen(
	deps: RightsDependencies,
	person: string,
	{ chain, daemon, hex, payouts }: Foreseeable
): Promise<Refused | null> {
	// To measure takes questions to the daemon.
	if (!(await isLimited(deps, person, chain))) return null;
	try {
		const { account, ...spend } = await measureSpend(deps, person, daemon, hex, payouts);
		if (account === null) return null;
		const no = refusalOf(await deps.policies.look({ ...spend, account }));
		return no ?? (await deps.limits.look({ ...spend, account }));
	} catch (error) {
		if (!isRefused(error)) throw error;
		return isAppError(error, 'limit.daemon-failed') ? null : error;
	}
}

/** Transfers of one token, in the order in which they are to go out. Keys are hex. */
interface PlannedTransfers {
	chain: string;
	daemon: string;
	pubkey: string;
	tokenid: string;
	rows: readonly { recipient: string; units: bigint }[];
}

/**
 * What the rules would say of each of several transfers that are not built yet, after those before it, if this person
 * sent them. Limits are not looked at: an amount is measured of bytes alone.
 * @returns for each in its order what stands against it, null for nothing; empty where no rule holds anything back
 */
export async function foreseenTransfers(
	deps: RightsDependencies,
	person: string,
	{ chain, daemon: wallet, pubkey, tokenid, rows }: PlannedTransfers
): Promise<(Refused | null)[]> {
	const { account, ...doer } = await doerOf(deps, person);
	if (account === null || !(await deps.policies.holdsBack())) return [];
	const keys = [pubkey, ...rows.map(({ recipient }) => recipient)];
	const own = await deps.measurer.ownAmong(keys.map(addressOfPubkey));
	const named = own.has(addressOfPubkey(pubkey)) ? pubkey : null;
	const transfers = rows.map(({ recipient, units }) => ({
		...doer,
		account,
		wallet,
		ref: randomUUID(),
		movements: withOwn([plannedTransfer({ chain, tokenid, recipient, units }, named)], own)
	}));
	return (await deps.policies.lookInOrder(transfers)).map(refusalOf);
}
