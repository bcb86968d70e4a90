import type { Int64 } from '../../platform/database/columns.ts';

/** Kind of draft that outputs are locked for. */
export type LockKind = 'send' | 'migration';

/** A wallet's output that a draft spends: no other draft that spends it can be stored. */
export interface LockedUtxosTable {
	chain: string;
	txid: string;
	vout: Int64;
	kind: LockKind;
	/** Id of the transaction or the migration. */
	holder: string;
	/** Expiry of the lock, unless the draft is confirmed by a member. Unix milliseconds. */
	until: Int64;
}

export interface LockedUtxosTables {
	locked_utxos: LockedUtxosTable;
}
