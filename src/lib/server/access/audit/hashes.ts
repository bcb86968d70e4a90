import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { sameHex } from '../../platform/secrets/sameHex.ts';

/** The columns of a row that its hash covers. */
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

/** The key of the log, or one that it had before. */
export interface AuditKey {
	key: Uint8Array;
	/** The last row that was written with it; null: it is the one of today. */
	until: bigint | null;
}

/** HMACs over the parts of the log, each for one purpose. */
export interface AuditHashes {
	/** Tells the key of today from others, and nothing about it. */
	keyId: string;
	row(row: HashedRow, previous: string): string;
	tip(seq: bigint, hash: string, checkpointed: bigint): string;
	checkpoint(checkpoint: HashedCheckpoint): string;
	/** That the events under the checkpoint with this HMAC were dropped at this time. */
	drop(number: bigint, mac: string, at: bigint): string;
	/** Over what is kept of the accounts outside of the database. */
	accounts(text: string): string;
	isAccounts(given: string, text: string): boolean;
	/** Whether such an HMAC was made with the key of today or one before. */
	isDrop(given: string | null, number: bigint, mac: string, at: bigint): boolean;
}

/**
 * JSON of an array keeps the borders between the parts, whatever they hold; its first part is the purpose.
 *
 * @param keys of today first. The first row of a key covers the hash of the last one of the key before, so who
 *   has an earlier key cannot write earlier rows anew.
 */
export function createHashes(keys: readonly [AuditKey, ...AuditKey[]]): AuditHashes {
	// Made once: making one of the bytes takes longer than the HMAC.
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
			// The first form began with the hash before: no purpose of the others looks like one.
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
			secrets.some(({ secret }) => sameHex(given, over(secret, 'accounts', text))),
		isDrop: (given, number, mac, at) =>
			secrets.some(({ secret }) => sameHex(given, over(secret, 'drop', number, mac, at)))
	};
}
