import { hexToBytes, isHex } from '#lib/chain/bytes.ts';
import type { Index } from '../../chains/indexer/open.ts';
import type { Database } from '../../platform/database/database.ts';
import type { CrossChainTables } from '../tables.ts';

/** Display name and decimals of a token. */
export interface TokenFacts {
	/** Null when the index does not know it. */
	name: string | null;
	/** Decimals in which its amounts are shown. */
	decimals: number;
}

/** Key of a token in the result of {@link readTokens}. */
export const tokenKey = (chain: string, tokenid: string): string => `${chain} ${tokenid}`;

/** Reads names and decimals of tokens, by {@link tokenKey}; entries with tokenid null are skipped. */
export async function readTokens(
	db: Database<CrossChainTables>,
	index: Index,
	wanted: readonly { chain: string; tokenid: string | null }[]
): Promise<Map<string, TokenFacts>> {
	const ids = [
		...new Set(
			wanted.flatMap(({ tokenid }) => (tokenid !== null && isHex(tokenid) ? [tokenid] : []))
		)
	];
	if (ids.length === 0) return new Map();
	const chains = [...new Set(wanted.map(({ chain }) => chain))];
	const [named, shown] = await Promise.all([
		index
			.selectFrom('ix_tokens as t')
			.innerJoin('ix_chains as c', 'c.id', 't.chain')
			.select(['c.name as chain', 't.tokenid', 't.name'])
			.where('c.name', 'in', chains)
			.where(
				't.tokenid',
				'in',
				ids.map((id) => Buffer.from(hexToBytes(id)))
			)
			.execute(),
		db
			.selectFrom('token_display')
			.select(['chain', 'tokenid', 'decimals'])
			.where('chain', 'in', chains)
			.where('tokenid', 'in', ids)
			.execute()
	]);
	const found = new Map<string, TokenFacts>();
	for (const { chain, tokenid, name } of named) {
		found.set(tokenKey(chain, Buffer.from(tokenid).toString('hex')), { name, decimals: 0 });
	}
	for (const { chain, tokenid, decimals } of shown) {
		const key = tokenKey(chain, tokenid);
		found.set(key, { name: found.get(key)?.name ?? null, decimals: Number(decimals) });
	}
	return found;
}
