/** Shared by the lists that belong to one token: the filter, and the lookup of the token. */
import { listFaults, listMembers } from '#lib/messages/apiLists.ts';
import { z } from 'zod';
import type { Index } from '../indexer/open.ts';
import { chainIdOf } from './chains.ts';

export const tokenFilter = z.object({
	tokenid: z
		.string(listFaults.token.missing)
		.regex(/^[0-9a-f]{64}$/, listFaults.token.invalid)
		.describe(listMembers.token)
});

/** Returns the ids by which holders and moves refer to a token; null when it is not indexed. */
export async function tokenPlace(
	index: Index,
	chainName: string | undefined,
	tokenid: string
): Promise<{ chain: bigint; token: bigint } | null> {
	const chain = await chainIdOf(index, chainName);
	if (chain === null) return null;
	const row = await index
		.selectFrom('ix_tokens')
		.select('seq')
		.where('tokenid', '=', Buffer.from(tokenid, 'hex'))
		.where('chain', '=', chain)
		.executeTakeFirst();
	return row ? { chain, token: row.seq } : null;
}
