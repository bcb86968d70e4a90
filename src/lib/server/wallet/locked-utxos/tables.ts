import type { Int64 } from '../../platform/database/columns.ts';

/** What outputs are locked for. */
export type LockKind = 'send' | 'migration';

/** An output of a wallet that a draft was built from: no other draft may be stored with it. */
export interface LockedUtxosTable {
	chain: string;
	txid: string;
	vout: Int64;
	kind: LockKind;
	/** Id of the send or the migration. */
	holder: string;
	/** How long a draft that nobody confirms keeps it. Unix milliseconds. */
	until: Int64;
}

export interface LockedUtxosTables {
	locked_utxos: LockedUtxosTable;
}
