import { accruedInterest } from '#lib/chain/interest.ts';
import type { LedgerApi } from '../ledger/api.ts';
import type { WalletCoin } from '../wallet/wallet.ts';

/** Satoshi of interest that the daemon counts for an output at its tip; only KMD has any. */
export const interestOf = (ledger: LedgerApi, { txid, value, height }: WalletCoin): bigint => {
	if (!ledger.isMain || height < 0) return 0n;
	const locktime = ledger.transaction(txid)?.locktime ?? 0;
	return accruedInterest({ value, height, locktime }, ledger.tip.header.time);
};
