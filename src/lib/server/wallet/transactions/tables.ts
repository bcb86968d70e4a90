import type { ColumnType } from 'kysely';
import type { Int64, NullableInt64, NullableText } from '../../platform/database/columns.ts';

/**
 * State of a built transaction. `broadcasting` is stored before the daemon is called, so that a crash in between
 * leaves something to look up; `unknown` means that no answer came, or that a reorganization removed it.
 */
export type SendState =
	| 'reviewed'
	| 'needs-approval'
	| 'broadcasting'
	| 'unknown'
	| 'broadcast'
	| 'confirmed'
	| 'rejected'
	| 'discarded';

/** States in which nothing was sent from here yet, and still can be. */
export const UNSENT: readonly SendState[] = ['reviewed', 'needs-approval'];

/** States in which the transaction may be on the network without being confirmed. */
export const OPEN_STATES: readonly SendState[] = ['broadcasting', 'unknown', 'broadcast'];

/** What a transaction is built for. */
export const SEND_KINDS = [
	'token-create',
	'token-transfer',
	'token-burn',
	'coin-send',
	'merge',
	'split',
	'claim',
	'self-import-source',
	'self-import',
	'notary-approval'
] as const;

export type SendKind = (typeof SEND_KINDS)[number];

/** A transaction that a daemon built or signed, that was verified here, and that is sent once. */
export interface TransactionsTable {
	id: string;
	kind: SendKind;
	chain: string;
	daemon: string;
	/** Public key of the daemon's wallet when it was built; another key prevents the send. */
	pubkey: string;
	txid: string;
	/** The only bytes that are ever sent. */
	hex: string;
	state: SendState;
	/** Why it was rejected: a message of `lib/messages/transactions/rejections.ts`, JSON. */
	rejection: NullableText;
	/** JSON: the request, and the review of the bytes, with messages of `lib/messages/transactions`. */
	request: string;
	review: string;
	created_by: string;
	/** Unix milliseconds, as all times here. */
	created_at: Int64;
	/** Expiry of the review; its inputs stay locked until then. */
	expires_at: Int64;
	broadcast_at: NullableInt64;
	settled_at: NullableInt64;
	height: NullableInt64;
	/**
	 * When it was first seen on the network or accepted by a daemon: if it is lost after that, it is sent again.
	 */
	taken_at: NullableInt64;
	/** When the outcome became final: its block is final, or the rejected transaction can never confirm. */
	final_at: NullableInt64;
	/** If rejected: height of the tip since which another transaction spends one of its inputs. */
	spent_since: NullableInt64;
	/** Id of the transaction that has to confirm before this one is sent; a member confirmed both together. */
	follows: NullableText;
	/** The last round that checked it, counted for each daemon; 0 before the first. */
	checked_round: ColumnType<bigint, bigint | undefined, bigint>;
}

/** Decimals with which the team sees a token: 10^decimals base units are one whole. */
export interface TokenDisplayTable {
	chain: string;
	tokenid: string;
	decimals: Int64;
}

export interface TransactionTables {
	transactions: TransactionsTable;
	token_display: TokenDisplayTable;
}
