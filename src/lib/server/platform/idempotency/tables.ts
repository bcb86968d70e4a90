import type { Int64, NullableText } from '../database/columns.ts';

/** A request that names itself, so that it is carried out once however often it comes. */
export interface IdempotencyKeysTable {
	/** Digest of who asks, what for, and the key that came with it. */
	key: string;
	/** Digest of what was asked for. */
	fingerprint: string;
	/** JSON: what the first one was answered; null while it is being carried out. */
	answer: NullableText;
	/** Unix milliseconds. */
	started_at: Int64;
	/** Another one for each who carries it out; null where an older release did. */
	claim: NullableText;
}

export interface IdempotencyTables {
	idempotency_keys: IdempotencyKeysTable;
}
