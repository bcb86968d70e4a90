import { transparent, type Transaction, type TxIn, type TxOut } from '#lib/chain/transaction.ts';
import type { LedgerApi } from '../ledger/api.ts';

/** Komodo daemon 0.9.0: number of blocks after which a built transaction expires (`-txexpirydelta`). */
const EXPIRY_DELTA = 200;

/**
 * Builds a transaction in the version of the chain's next block: version 4 with an expiry height once Sapling
 * is active, version 1 before.
 */
export const draftTransaction = (
	ledger: Pick<LedgerApi, 'height' | 'isSaplingAt'>,
	vin: TxIn[],
	vout: TxOut[]
): Transaction => {
	const next = ledger.height + 1;
	const sapling = ledger.isSaplingAt(next);
	return transparent({ vin, vout, expiryHeight: sapling ? next + EXPIRY_DELTA : 0 }, sapling);
};
