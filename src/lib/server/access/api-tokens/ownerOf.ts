import type { ApiTokenDependencies } from './dependencies.ts';

/** Returns the id of the account of a token, revoked or not; null when there is no such token. */
export async function ownerOf(
	{ db }: ApiTokenDependencies,
	tokenId: string
): Promise<string | null> {
	const row = await db
		.selectFrom('api_tokens')
		.select('account_id')
		.where('id', '=', tokenId)
		.executeTakeFirst();
	return row?.account_id ?? null;
}
