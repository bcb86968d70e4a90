import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';

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
}

export interface HashedSeal {
	number: bigint;
	first_seq: bigint;
	last_seq: bigint;
	rows: bigint;
	last_hash: string;
	first_time: bigint;
	last_time: bigint;
	previous: string;
	sealed_at: bigint;
}

/** HMACs over the parts of the log, each for one purpose. */
export interface AuditHashes {
	row(row: HashedRow, previous: string): string;
	head(seq: bigint, hash: string, sealed: bigint): string;
	seal(seal: HashedSeal): string;
	/** That the rows of the seal with this HMAC were dropped at this time. */
	drop(number: bigint, mac: string, at: bigint): string;
}

/** JSON of an array keeps the borders between the parts, whatever they hold; its first part is the purpose. */
export function createHashes(key: Uint8Array): AuditHashes {
	// Made once: making one of the bytes takes longer than the HMAC.
	const secret = createSecretKey(key);
	const over = (...parts: readonly (string | bigint | null)[]): string =>
		createHmac('sha256', secret)
			.update(
				JSON.stringify(parts.map((part) => (typeof part === 'bigint' ? part.toString() : part)))
			)
			.digest('hex');
	return {
		row(row, previous) {
			const { version, seq, time, actor, action, target, detail } = row;
			// The first form began with the hash before: no purpose of the others looks like one.
			if (version === 1n) return over(previous, seq, time, actor, action, target, detail);
			const { kind, place, outcome, request } = row;
			const told = [actor, action, target, detail, kind, place, outcome, request];
			return over(`row ${version}`, previous, seq, time, ...told);
		},
		head: (seq, hash, sealed) => over('head', seq, hash, sealed),
		seal(seal) {
			const { number, first_seq, last_seq, rows, last_hash } = seal;
			const { first_time, last_time, previous, sealed_at } = seal;
			const ends = [first_seq, last_seq, rows, last_hash, first_time, last_time];
			return over('seal', number, ...ends, previous, sealed_at);
		},
		drop: (number, mac, at) => over('drop', number, mac, at)
	};
}

/** Whether two hexadecimal texts are the same, in a time that does not say where they differ. */
export function sameHex(a: string | null, b: string): boolean {
	const left = Buffer.from(a ?? '', 'utf8');
	const right = Buffer.from(b, 'utf8');
	return left.length === right.length && timingSafeEqual(left, right);
}
