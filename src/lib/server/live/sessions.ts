import type { Db } from '../db/open.ts';

/**
 * Which of these sessions have not ended. Unlike a request, a look does not count as use: a page that is
 * left open keeps nobody signed in.
 *
 * @param hashes of session ids, as the database has them
 */
export async function stillSignedIn(
	db: Db,
	hashes: readonly string[]
): Promise<ReadonlySet<string>> {
	if (hashes.length === 0) return new Set();
	const now = BigInt(Date.now());
	const rows = await db
		.selectFrom('sessions')
		.innerJoin('accounts', 'accounts.id', 'sessions.account_id')
		.select('sessions.id_hash')
		.where('sessions.id_hash', 'in', [...new Set(hashes)])
		.where('sessions.expires_at', '>', now)
		.where('sessions.ends_at', '>', now)
		.where('accounts.disabled_at', 'is', null)
		.execute();
	return new Set(rows.map((row) => row.id_hash));
}
