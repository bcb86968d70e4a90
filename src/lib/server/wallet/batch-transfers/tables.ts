import type { Int64, NullableInt64, NullableText } from '../../platform/database/columns.ts';

/**
 * State of a batch transfer. It is `stopped` by a member, or because of a `problem` that a member has to look
 * at; resumed, it continues where it stopped.
 */
export type BatchTransferState = 'reviewed' | 'running' | 'stopped' | 'done' | 'discarded';

/**
 * State of one row. `underway` is stored with the future id of the transaction before anything is built, so
 * that a crash leaves something to look up. How far a `broadcast` row has come, its transaction says.
 */
export type BatchTransferItemState = 'waiting' | 'underway' | 'broadcast' | 'failed';

/** Transfers of one token to many recipients, confirmed together and sent one after the other. */
export interface BatchTransfersTable {
	id: string;
	chain: string;
	tokenid: string;
	/**
	 * The daemon and the public key of its wallet at the time of the review; another key stops the batch
	 * transfer.
	 */
	daemon: string;
	pubkey: string;
	state: BatchTransferState;
	/** Why it waits or stopped: a message of `lib/messages/batch-transfers/problems.ts`, JSON. */
	problem: NullableText;
	created_by: string;
	/** Who confirmed or resumed it; its transactions are sent in this name. */
	confirmed_by: NullableText;
	/** Unix milliseconds. */
	created_at: Int64;
	confirmed_at: NullableInt64;
	ended_at: NullableInt64;
}

export interface BatchTransferItemsTable {
	batch_transfer: string;
	/** Number of the row in the batch transfer, counted from 1. */
	n: Int64;
	/** Compressed key, hex. */
	recipient: string;
	units: Int64;
	state: BatchTransferItemState;
	/** Id of its row in `transactions`; null before there is one. */
	transaction_id: NullableText;
	/** Why it failed: a message of the same catalogue, JSON. */
	problem: NullableText;
}

export interface BatchTransferTables {
	batch_transfers: BatchTransfersTable;
	batch_transfer_items: BatchTransferItemsTable;
}
