import { accruedInterest } from '../../lib/chain/interest.ts';
import type { LedgerApi } from './api.ts';

/** Satoshi of interest that the daemon counts for a coin at its tip; only KMD has any, and only in blocks. */
export const interestOf = (
	ledger: Pick<LedgerApi, 'isMain' | 'height' | 'tip' | 'transaction'>,
	{ txid, value, height }: { txid: string; value: bigint; height: number }
): bigint => {
	if (!ledger.isMain || height < 0 || height > ledger.height) return 0n;
	const locktime = ledger.transaction(txid)?.locktime ?? 0;
	return accruedInterest({ value, height, locktime }, ledger.tip.header.time);
};
