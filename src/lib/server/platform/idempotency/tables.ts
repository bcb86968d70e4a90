import type { Int64, NullableText } from '../database/columns.ts';

/** A request with an idempotency key, which is executed at most once. */
export interface IdempotencyKeysTable {
	/** Digest of actor, operation and key. */
	key: string;
	/** Digest of the request's content. */
	fingerprint: string;
	/** JSON: stored response; null while the request is being executed. */
	answer: NullableText;
	/** Unix milliseconds. */
	started_at: Int64;
	/** Unique id of the execution; null where an early release executed it. */
	claim: NullableText;
}

export interface IdempotencyTables {
	idempotency_keys: IdempotencyKeysTable;
}
