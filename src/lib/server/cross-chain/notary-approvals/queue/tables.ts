import type { Int64, NullableInt64, NullableText } from '../../../platform/database/columns.ts';

/**
 * State of an approval queue. It is `open` while any approval is built, awaits review or is being sent; a `done`
 * one is opened again when missing approvals are built again.
 */
export type ApprovalQueueState = 'open' | 'done' | 'discarded';

/**
 * State of one approval of a queue.
 * - `waiting`: nothing is built; its wallet is busy with another approval, or could not be asked
 * - `underway`: the id of its transaction was stored, before building begins; once it is built, its transaction can
 * be reviewed
 * - `confirmed`: a member has reviewed the transaction and confirmed it
 * - `sent`: it was sent; its transaction has the further state
 * - `refused`: it was not sent, and `problem` says why
 * - `lapsed`: it was not sent in time
 */
export type ApprovalQueueItemState =
	'waiting' | 'underway' | 'confirmed' | 'sent' | 'refused' | 'lapsed';

/** Approvals of several burns by several wallets, reviewed and sent together. */
export interface ApprovalQueuesTable {
	id: string;
	state: ApprovalQueueState;
	created_by: string;
	/** In whose name approvals are built: the member who created the queue, or last built it again. */
	built_by: string;
	/** Unix milliseconds, as all times here. */
	created_at: Int64;
	/** Until then waiting approvals are built automatically. */
	active_until: Int64;
	ended_at: NullableInt64;
}

export interface ApprovalQueueItemsTable {
	queue: string;
	/** Position in the queue, counted from 1. */
	n: Int64;
	burn_txid: string;
	source: string;
	destination: string;
	/** The daemon with the wallet of the notary. */
	daemon: string;
	state: ApprovalQueueItemState;
	/** Id of its transaction in the table `transactions`. */
	transaction_id: NullableText;
	/** Why it waits or was refused: a message of `lib/messages/notary-approvals/queueProblems.ts`, JSON. */
	problem: NullableText;
	/** The member who confirmed it, and in whose name it is sent. */
	confirmed_by: NullableText;
}

export interface ApprovalQueueTables {
	approval_queues: ApprovalQueuesTable;
	approval_queue_items: ApprovalQueueItemsTable;
}
