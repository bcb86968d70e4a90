import { accruedInterest } from '../../lib/chain/interest.ts';
import type { LedgerApi } from './api.ts';

/**
 * Returns the interest in satoshi that the daemon computes for an output at its tip; 0 except for confirmed
 * outputs on KMD.
 */
export const interestOf = (
	ledger: Pick<LedgerApi, 'isMain' | 'height' | 'tip' | 'transaction'>,
	{ txid, value, height }: { txid: string; value: bigint; height: number }
): bigint => {
	if (!ledger.isMain || height < 0 || height > ledger.height) return 0n;
	const locktime = ledger.transaction(txid)?.locktime ?? 0;
	return accruedInterest({ value, height, locktime }, ledger.tip.header.time);
};
