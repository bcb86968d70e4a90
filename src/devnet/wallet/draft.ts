import { NO_SHIELDED, SAPLING_GROUP_ID } from '#lib/chain/transaction.ts';
import type { Transaction, TxIn, TxOut } from '#lib/chain/transaction.ts';
import type { LedgerApi } from '../ledger/api.ts';

/** Komodo daemon 0.9.0: built transactions live this many blocks (`-txexpirydelta`). */
const EXPIRY_DELTA = 200;

/** An input that is not signed yet. */
export const unsignedInput = (txid: string, vout: number, sequence = 0xffffffff): TxIn => ({
	txid,
	vout,
	scriptSig: new Uint8Array(0),
	sequence
});

/**
 * A transaction of the version that the chain's next block wants: version 4 with an expiry once Sapling
 * is active, version 1 before.
 */
export const draftTransaction = (
	ledger: Pick<LedgerApi, 'height' | 'isSaplingAt'>,
	vin: TxIn[],
	vout: TxOut[]
): Transaction => {
	const next = ledger.height + 1;
	const sapling = ledger.isSaplingAt(next);
	return {
		overwintered: sapling,
		version: sapling ? 4 : 1,
		versionGroupId: sapling ? SAPLING_GROUP_ID : 0,
		vin,
		vout,
		locktime: 0,
		expiryHeight: sapling ? next + EXPIRY_DELTA : 0,
		valueBalance: 0n,
		shielded: NO_SHIELDED
	};
};
