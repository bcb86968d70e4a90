import type { AccessTables } from '../access/tables.ts';
import type { BookTables } from './address-book/tables.ts';
import type { BatchTransferTables } from './batch-transfers/tables.ts';
import type { DraftTables } from './drafts/tables.ts';
import type { LockedUtxosTables } from './locked-utxos/tables.ts';
import type { SendingTables } from './transactions/tables.ts';

/** The tables that this folder and those before it may read and write. */
export interface WalletTables
	extends
		AccessTables,
		BookTables,
		DraftTables,
		LockedUtxosTables,
		SendingTables,
		BatchTransferTables {}
