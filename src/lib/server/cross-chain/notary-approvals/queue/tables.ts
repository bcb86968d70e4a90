import type { Int64, NullableInt64, NullableText } from '../../../platform/database/columns.ts';

/**
 * Where an approval queue stands. `open` while something of it is built, shown for a look or on its way; a `done`
 * one is opened again by whoever builds again what it left out.
 */
export type ApprovalQueueState = 'open' | 'done' | 'discarded';

/**
 * Where one approval of a queue stands.
 * - `waiting`: nothing is built; its wallet is busy with another approval, or could not be asked
 * - `underway`: written, with the id that its transaction will have here, before anything is built; from then on
 *   its transaction says whether it can be looked at
 * - `confirmed`: somebody looked at the transaction and said that it goes out
 * - `sent`: it went out, and how far it is its transaction says
 * - `refused`: nothing of it went out, and `problem` says why
 * - `lapsed`: nobody sent it in time
 */
export type ApprovalQueueItemState =
	'waiting' | 'underway' | 'confirmed' | 'sent' | 'refused' | 'lapsed';

/** Approvals of several burns by several wallets, looked at and sent together. */
export interface ApprovalQueuesTable {
	id: string;
	state: ApprovalQueueState;
	created_by: string;
	/** In whose name its approvals are built: who began it, or built it again last. */
	built_by: string;
	/** Unix milliseconds, as all times here. */
	created_at: Int64;
	/** Until then what waits is built; later only when somebody asks for it. */
	active_until: Int64;
	ended_at: NullableInt64;
}

export interface ApprovalQueueItemsTable {
	queue: string;
	/** Place in the queue, counted from 1. */
	n: Int64;
	burn_txid: string;
	source: string;
	destination: string;
	/** The daemon with the wallet of the notary. */
	daemon: string;
	state: ApprovalQueueItemState;
	/** Id of its transaction among those that were built here. */
	transaction_id: NullableText;
	/** Why it waits or was refused: a message of `lib/messages/notary-approvals/queueProblems.ts`, JSON. */
	problem: NullableText;
	/** Who said that it goes out; it is sent in this name. */
	confirmed_by: NullableText;
}

export interface ApprovalQueueTables {
	approval_queues: ApprovalQueuesTable;
	approval_queue_items: ApprovalQueueItemsTable;
}
