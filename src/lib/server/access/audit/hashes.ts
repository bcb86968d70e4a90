import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { sameText } from '../../platform/secrets/sameText.ts';

/** The columns of an event that its hash covers. */
export interface HashedRow {
	version: bigint;
	seq: bigint;
	time: bigint;
	actor: string;
	action: string;
	target: string | null;
	detail: string;
	kind: string;
	place: string | null;
	outcome: string;
	request: string | null;
	state: string | null;
}

export interface HashedCheckpoint {
	number: bigint;
	first_seq: bigint;
	last_seq: bigint;
	rows: bigint;
	last_hash: string;
	first_time: bigint;
	last_time: bigint;
	previous: string;
	created_at: bigint;
}

/** The current key of the log, or an earlier one. */
export interface AuditKey {
	key: Uint8Array;
	/** Number of the last event that was written with it; null: it is the current key. */
	until: bigint | null;
}

/** HMACs over the parts of the log, each for one purpose. */
export interface AuditHashes {
	/** Identifies the current key without revealing anything about it. */
	keyId: string;
	row(row: HashedRow, previous: string): string;
	tip(seq: bigint, hash: string, checkpointed: bigint): string;
	checkpoint(checkpoint: HashedCheckpoint): string;
	/** Proves that the events under the checkpoint with this HMAC were dropped at this time. */
	drop(number: bigint, mac: string, at: bigint): string;
	/** HMAC over the copy of the accounts outside of the database. */
	accounts(text: string): string;
	isAccounts(given: string, text: string): boolean;
	/** Whether such an HMAC was made with the current key or an earlier one. */
	isDrop(given: string | null, number: bigint, mac: string, at: bigint): boolean;
}

/**
 * Builds the HMACs. Their input is the JSON of an array, which keeps the parts apart whatever they contain;
 * its first element is the purpose.
 * @param keys the current key first. The first event of a key covers the hash of the last event of the key
 * before, so an earlier key does not suffice to rewrite the events written with it.
 */
export function createHashes(keys: readonly [AuditKey, ...AuditKey[]]): AuditHashes {
	// Created once: a key object takes longer to create than the HMAC.
	const secrets = keys.map(({ key, until }) => ({ secret: createSecretKey(key), until }));
	const today = secrets[0]!.secret;
	const earlier = secrets.slice(1).toSorted((a, b) => ((a.until ?? 0n) < (b.until ?? 0n) ? -1 : 1));
	const keyOf = (seq: bigint): KeyObject =>
		earlier.find(({ until }) => until !== null && seq <= until)?.secret ?? today;
	const over = (secret: KeyObject, ...parts: readonly (string | bigint | null)[]): string =>
		createHmac('sha256', secret)
			.update(
				JSON.stringify(parts.map((part) => (typeof part === 'bigint' ? part.toString() : part)))
			)
			.digest('hex');
	return {
		keyId: over(today, 'key id').slice(0, 16),
		row(row, previous) {
			const { version, seq, time, actor, action, target, detail } = row;
			const secret = keyOf(seq);
			// Version 1 began with the previous hash instead of a purpose, and no purpose looks like a hash.
			if (version === 1n) return over(secret, previous, seq, time, actor, action, target, detail);
			const { kind, place, outcome, request } = row;
			const told = [actor, action, target, detail, kind, place, outcome, request];
			if (version === 2n) return over(secret, 'row 2', previous, seq, time, ...told);
			return over(secret, `row ${version}`, previous, seq, time, ...told, row.state);
		},
		tip: (seq, hash, checkpointed) => over(today, 'head', seq, hash, checkpointed),
		checkpoint(checkpoint) {
			const { number, first_seq, last_seq, rows, last_hash } = checkpoint;
			const { first_time, last_time, previous, created_at } = checkpoint;
			const ends = [first_seq, last_seq, rows, last_hash, first_time, last_time];
			return over(keyOf(last_seq), 'seal', number, ...ends, previous, created_at);
		},
		drop: (number, mac, at) => over(today, 'drop', number, mac, at),
		accounts: (text) => over(today, 'accounts', text),
		isAccounts: (given, text) =>
			secrets.some(({ secret }) => sameText(given, over(secret, 'accounts', text))),
		isDrop: (given, number, mac, at) =>
			secrets.some(({ secret }) => sameText(given, over(secret, 'drop', number, mac, at)))
	};
}
