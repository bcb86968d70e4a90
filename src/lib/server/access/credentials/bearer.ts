/** Keyed hashes that the database stores in place of session ids, API tokens and link tokens. */
import { createHmac } from 'node:crypto';
import type { Executor } from '../../platform/database/database.ts';
import { sha256Hex } from '../../platform/secrets/digest.ts';
import type { AccessTables } from '../tables.ts';

/** Kinds of bearer secrets: whoever presents one is granted access. */
export type BearerKind =
	'session' | 'api token' | 'link' | 'set-up link' | 'challenge' | 'recovery code';

/**
 * HMACs of bearer secrets under keys that the database does not hold. Without a key, write access to the
 * database does not suffice to insert a row for a known secret.
 */
export interface Bearer {
	/** The hash to store, under the current key. */
	hash(kind: BearerKind, text: string): string;
	/** The hashes to look up: under the current key, and under the previous ones. */
	hashes(kind: BearerKind, text: string): string[];
	/** The hash to store when only the SHA-256 of the secret is known, as in rows of earlier versions. */
	fromSha256(kind: BearerKind, hex: string): string;
	/** MAC over several columns of a row, which binds them together. */
	mac(parts: readonly (string | bigint)[]): string;
}

/** @param keys the current key first */
export function createBearer(keys: readonly [Uint8Array, ...Uint8Array[]]): Bearer {
	const [today] = keys;
	const over = (key: Uint8Array, parts: readonly string[]): string =>
		createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex');
	return {
		hash: (kind, text) => over(today, [kind, sha256Hex(text)]),
		hashes: (kind, text) => {
			const hex = sha256Hex(text);
			return keys.map((key) => over(key, [kind, hex]));
		},
		fromSha256: (kind, hex) => over(today, [kind, hex]),
		mac: (parts) => over(today, ['row', ...parts.map(String)])
	};
}

/** Converts the rows of earlier versions, which hold a plain SHA-256, to HMACs under the current key. */
export async function hashAnew(trx: Executor<AccessTables>, bearer: Bearer): Promise<void> {
	for (const [table, kind] of [
		['api_tokens', 'api token'],
		['account_links', 'link']
	] as const) {
		const rows = await trx.selectFrom(table).select(['id', 'token_hash']).execute();
		for (const { id, token_hash } of rows) {
			await trx
				.updateTable(table)
				.set({ token_hash: bearer.fromSha256(kind, token_hash) })
				.where('id', '=', id)
				.execute();
		}
	}
}
