import type { ColumnType } from 'kysely';
import type { Int64, NullableInt64, NullableText } from '../../platform/database/columns.ts';

/**
 * Where a built transaction stands. `broadcasting` is written before the daemon is called, so that a crash in
 * between leaves something to look up; `unknown` means that no answer came.
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

/** States of which nothing went out from here, and something still can. */
export const UNSENT: readonly SendState[] = ['reviewed', 'needs-approval'];

/** States in which the transaction may be on its way. */
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

/** A transaction that a daemon built, that was read here, and that is sent once. */
export interface TransactionsTable {
	id: string;
	kind: SendKind;
	chain: string;
	daemon: string;
	/** Key of the daemon's wallet when it was built; another one stops the send. */
	pubkey: string;
	txid: string;
	/** The only bytes that are ever sent. */
	hex: string;
	state: SendState;
	/** Why it was rejected: a message of `lib/messages/transactions/rejections.ts`, JSON. */
	rejection: NullableText;
	/** JSON: what was asked for, and what the bytes say, with messages of `lib/messages/transactions`. */
	request: string;
	review: string;
	created_by: string;
	/** Unix milliseconds, as all times here. */
	created_at: Int64;
	/** Until then its inputs are kept for it. */
	expires_at: Int64;
	broadcast_at: NullableInt64;
	settled_at: NullableInt64;
	height: NullableInt64;
	/** When it was first seen on the network, or taken by a daemon: lost again, it is sent again. */
	taken_at: NullableInt64;
	/** When nothing could change any more: its block is final, or nothing can come of what was refused. */
	final_at: NullableInt64;
	/** Of what was refused: since which tip something else spends one of its inputs. */
	spent_since: NullableInt64;
	/** The send that has to be in a block before this one goes out, and that it was confirmed with. */
	follows: NullableText;
	/** The last round that looked at it, counted for each daemon; 0 before the first. */
	checked_round: ColumnType<bigint, bigint | undefined, bigint>;
}

/** How many units of a token people call one whole. */
export interface TokenDisplayTable {
	chain: string;
	tokenid: string;
	decimals: Int64;
}

export interface TransactionTables {
	transactions: TransactionsTable;
	token_display: TokenDisplayTable;
}
