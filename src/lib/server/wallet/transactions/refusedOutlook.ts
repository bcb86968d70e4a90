/** Determines whether a rejected transaction that is not found could still confirm. */
import { parseTransaction, txidOf, type Transaction } from '#lib/chain/transaction.ts';
import { findTransaction } from '../../chains/daemon/findTransaction.ts';
import { hasUnspent, knownSpender } from '../../chains/daemon/spender.ts';
import type { DaemonClient } from '../../chains/daemon/types.ts';
import { isFinal, type FinalityRule } from '../../platform/config/finality.ts';

/**
 * Why an unconfirmed transaction can never confirm. For one without an expiry height, only its inputs can tell.
 */
export type Dead = 'expired' | 'spent';

/** Prospects of a rejected transaction that is not found. Heights are those of its chain. */
export interface RefusedOutlook {
	/** Null while it could still confirm. */
	dead: Dead | null;
	/**
	 * The tip at which one of its inputs was first seen spent by a confirmed transaction, another one as far as the
	 * daemon can tell; null when none is.
	 */
	spentSince: number | null;
}

interface SourceStatus {
	tip: number;
	notarized: number;
	rule: FinalityRule;
}

/**
 * Whether a confirmed transaction spends one of the inputs. Needs no optional index.
 * @throws {AppError} `daemon`
 */
async function isSpent(source: DaemonClient, { vin }: Transaction): Promise<boolean> {
	for (const { txid, vout } of vin) {
		if ((await source.call('gettxout', txid, vout, false)) !== null) continue;
		// An output that does not exist is not spent: its transaction may have been removed by a
		// reorganization, and may confirm again.
		if ((await findTransaction(source, txid)).where === 'mined') return true;
	}
	return false;
}

/**
 * Whether the transaction would be refused for a temporary reason only: the transaction that created one of
 * its inputs is not found either, because of a reorganization or because the daemon is syncing again; or a
 * transaction in the mempool spends an input, and may drop out of it.
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

/** A signed transaction, and the key of the wallet that sent it. */
interface SentBytes {
	hex: string;
	/** Hex; null when it is not known. */
	pubkey: string | null;
}

/**
 * Whether a daemon that does not find a transaction can rule out that a block contains it. Without a transaction
 * index it does not find a transaction whose outputs are all spent, unless that is of its wallet; and the inputs are
 * gone either way. Then only an input that no block spends, or the transaction that spends one, can tell.
 * @throws {AppError} `daemon`
 */
export async function isProvenAbsent(
	source: DaemonClient,
	{ hex, pubkey }: SentBytes
): Promise<boolean> {
	const tx = parseTransaction(hex);
	if (await hasUnspent(source, tx.vin)) return true;
	for (const input of tx.vin) {
		const spender = await knownSpender(source, input);
		if (spender !== null) return spender.txid !== txidOf(tx);
	}
	// Asked now: a daemon that was away may be back with another wallet.
	const info = await source.call('getinfo');
	return pubkey !== null && info.pubkey?.toLowerCase() === pubkey.toLowerCase();
}

/**
 * Returns the prospects of a rejected transaction that is not found. It counts as dead only once the block that makes
 * it so is final, and only if the daemon can rule out that a block contains the transaction itself.
 * @param seenSpent the tip at which an earlier lookup saw one of its inputs spent
 * @throws {AppError} `daemon`
 */
export async function outlookOf(
	source: DaemonClient,
	sent: SentBytes,
	{ tip, notarized, rule }: SourceStatus,
	seenSpent: number | null
): Promise<RefusedOutlook> {
	const final = (height: number): boolean => isFinal(rule, { height, tip, notarized });
	const tx = parseTransaction(sent.hex);
	const spentSince = (await isSpent(source, tx)) ? (seenSpent ?? tip) : null;
	const { expiryHeight } = tx;
	const dead =
		spentSince !== null && final(spentSince)
			? 'spent'
			: expiryHeight > 0 && expiryHeight < tip && final(expiryHeight)
				? 'expired'
				: null;
	// A block that arrived since the caller's lookup may contain it: then it is the transaction that spends its
	// inputs.
	if (dead !== null && (await findTransaction(source, txidOf(tx))).where !== 'absent') {
		return { spentSince: null, dead: null };
	}
	const isCertain = dead === null || (await isProvenAbsent(source, sent));
	return { spentSince, dead: isCertain ? dead : null };
}
