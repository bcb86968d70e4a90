import { sql } from 'kysely';
import type { Index } from '../indexer/open.ts';

/** Returns the satoshi locked in the tokens of a key: one per base unit. */
export async function lockedInTokens(index: Index, chain: bigint, pubkey: string): Promise<bigint> {
	const row = await index
		.selectFrom('ix_holders')
		.select(sql<bigint | null>`cast(sum(units) as bigint)`.as('units'))
		.where('holder', '=', pubkey)
		.where('chain', '=', chain)
		.executeTakeFirst();
	return row?.units ?? 0n;
}
