import type { AccessTables } from '../access/tables.ts';
import type { LabelTables } from './address-book/tables.ts';
import type { BatchTransferTables } from './batch-transfers/tables.ts';
import type { DraftTables } from './drafts/tables.ts';
import type { LockedUtxosTables } from './locked-utxos/tables.ts';
import type { TransactionTables } from './transactions/tables.ts';

/** The tables that this folder and those before it may read and write. */
export interface WalletTables
	extends
		AccessTables,
		LabelTables,
		DraftTables,
		LockedUtxosTables,
		TransactionTables,
		BatchTransferTables {}
