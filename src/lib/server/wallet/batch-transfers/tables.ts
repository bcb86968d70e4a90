import type { Int64, NullableInt64, NullableText } from '../../platform/database/columns.ts';

/**
 * Where a batch transfer stands. `stopped` by a person, or by something that a person has to look at, which
 * `problem` then says; it goes on where it stopped.
 */
export type BatchTransferState = 'reviewed' | 'running' | 'stopped' | 'done' | 'discarded';

/**
 * Where one transfer of a batch transfer stands. `underway` is written, with the id that its transaction will have
 * here, before anything is built, so that a crash leaves something to look up. How far a `broadcast` one is, its
 * transaction says.
 */
export type BatchTransferItemState = 'waiting' | 'underway' | 'broadcast' | 'failed';

/** Transfers of one token to many recipients, confirmed together and sent one after the other. */
export interface BatchTransfersTable {
	id: string;
	chain: string;
	tokenid: string;
	/** The daemon and its wallet's key at the time of the review; another one stops the batch transfer. */
	daemon: string;
	pubkey: string;
	state: BatchTransferState;
	/** Why it waits or stopped: a message of `lib/messages/batch-transfers/problems.ts`, JSON. */
	problem: NullableText;
	created_by: string;
	/** Who said that it goes out; transactions are sent in this name. */
	confirmed_by: NullableText;
	/** Unix milliseconds. */
	created_at: Int64;
	confirmed_at: NullableInt64;
	ended_at: NullableInt64;
}

export interface BatchTransferItemsTable {
	batch_transfer: string;
	/** Place in the batch transfer, counted from 1. */
	n: Int64;
	/** Compressed key, hex. */
	recipient: string;
	units: Int64;
	state: BatchTransferItemState;
	/** Id of its transaction among those that were built here. */
	transaction_id: NullableText;
	/** Why it failed: a message of the same catalogue, JSON. */
	problem: NullableText;
}

export interface BatchTransferTables {
	batch_transfers: BatchTransfersTable;
	batch_transfer_items: BatchTransferItemsTable;
}
