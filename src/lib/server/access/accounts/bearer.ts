/** What stands in the database in place of a session id, a token or the text of a link. */
import { createHmac } from 'node:crypto';
import type { Executor } from '../../platform/database/database.ts';
import { sha256Hex } from '../../platform/secrets/digest.ts';
import type { AccessTables } from '../tables.ts';

/** Whoever shows such a text is let in. */
export type BearerKind =
	'session' | 'api token' | 'link' | 'set-up link' | 'challenge' | 'recovery code';

/**
 * HMACs of bearer secrets under keys that the database does not hold: who can write to it, but has no key,
 * cannot make up a row for a text that they know.
 */
export interface Bearer {
	/** What is stored. */
	hash(kind: BearerKind, text: string): string;
	/** What is looked up: under the key of today, and under those before. */
	hashes(kind: BearerKind, text: string): string[];
	/** What is stored for a text of which only the SHA-256 is known, as rows of earlier versions have it. */
	fromSha256(kind: BearerKind, hex: string): string;
	/** Binds the parts of a row to each other. */
	mac(parts: readonly (string | bigint)[]): string;
}

/** @param keys of today first */
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

/** Brings the rows of earlier versions, which hold a plain SHA-256, into the form of today. */
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
