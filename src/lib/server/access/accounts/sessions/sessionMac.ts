import type { Bearer } from '../bearer.ts';

/**
 * Binds a row to its person and its end, to when they last showed who they are, and to the provider that said it. A
 * session that began here has no part for a provider: those of earlier versions go on.
 */
export function macOf(
	bearer: Bearer,
	row: {
		id_hash: string;
		account_id: string;
		created_at: bigint;
		ends_at: bigint;
		confirmed_at: bigint | null;
		issuer: string | null;
		provider_session: string | null;
	}
): string {
	const { id_hash, account_id, created_at, ends_at, confirmed_at } = row;
	const parts = ['session', id_hash, account_id, created_at, ends_at, confirmed_at ?? ''];
	const provider = [row.issuer, row.provider_session].filter((part) => part !== null);
	return bearer.mac([...parts, ...provider]);
}
