import type { Bearer } from '../../credentials/bearer.ts';

/**
 * MAC of a session's row: binds it to its account, its end, its last confirmation, and the provider that
 * signed it in. Without a provider the MAC covers no part for it, so that sessions of earlier versions stay
 * valid.
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
