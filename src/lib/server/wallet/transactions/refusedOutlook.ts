/** Whether a transaction that was refused and is nowhere could still get into a block. */
import { parseTransaction } from '#lib/chain/transaction.ts';
import { findTransaction, type DaemonClient } from '../../chains/daemon/lookup.ts';
import { isFinal, type FinalityRule } from '../../platform/config/finality.ts';

/** Why a transaction that no block holds can never get into one. Of one that never expires only its inputs say so. */
export type Dead = 'expired' | 'spent';

/** What a chain says of a refused transaction that is nowhere. Heights of that chain. */
export interface RefusedOutlook {
	/** Null while it could still be mined. */
	dead: Dead | null;
	/** The block at which one of its inputs was first seen spent by another mined transaction. */
	spentSince: number | null;
}

interface SourceStatus {
	tip: number;
	notarized: number;
	rule: FinalityRule;
}

/** True when a mined transaction spends one of the inputs; asked without any optional index. @throws {AppError} `daemon` */
async function isSpent(source: DaemonClient, hex: string): Promise<boolean> {
	for (const { txid, vout } of parseTransaction(hex).vin) {
		if ((await source.call('gettxout', txid, vout, false)) !== null) continue;
		// An output that never was is no spent one: its transaction may have been taken back, and come again.
		if ((await findTransaction(source, txid)).where === 'mined') return true;
	}
	return false;
}

/**
 * True while it would be refused for what says nothing against it: the transaction that made one of the inputs is nowhere
 * either, because its block was taken back or the daemon reads its chain anew; or another one that waits in the mempool
 * spends an input, and may drop out of it.
 * @throws {AppError} `daemon`
 */
export async function awaitsOthers(source: DaemonClient, hex: string): Promise<boolean> {
	for (const { txid, vout } of parseTransaction(hex).vin) {
		if ((await source.call('gettxout', txid, vout, true)) !== null) continue;
		if ((await source.call('gettxout', txid, vout, false)) !== null) return true;
		if ((await findTransaction(source, txid)).where === 'absent') return true;
	}
	return false;
}

/**
 * Nothing is called dead before the block that makes it so is final.
 * @param seenSpent the block at which an earlier look saw one of its inputs spent
 * @throws {AppError} `daemon`
 */
export async function outlookOf(
	source: DaemonClient,
	hex: string,
	{ tip, notarized, rule }: SourceStatus,
	seenSpent: number | null
): Promise<RefusedOutlook> {
	const final = (height: number): boolean => isFinal(rule, { height, tip, notarized });
	const spentSince = (await isSpent(source, hex)) ? (seenSpent ?? tip) : null;
	const { expiryHeight } = parseTransaction(hex);
	const dead =
		spentSince !== null && final(spentSince)
			? 'spent'
			: expiryHeight > 0 && expiryHeight < tip && final(expiryHeight)
				? 'expired'
				: null;
	return { spentSince, dead };
}
