/** A token that a key holds on one chain, from the index. */
import type { Index } from '../indexer/open.ts';

interface HeldToken {
	tokenid: string;
	name: string;
	units: bigint;
	nonFungible: boolean;
}

/** Returns the tokens that a key holds, largest amounts first. */
export async function heldTokens(
	index: Index,
	chain: string,
	pubkey: string,
	limit: number
): Promise<HeldToken[]> {
	const rows = await index
		.selectFrom('ix_holders as h')
		.innerJoin('ix_tokens as t', (on) =>
			on.onRef('t.chain', '=', 'h.chain').onRef('t.seq', '=', 'h.token')
		)
		.innerJoin('ix_chains as c', 'c.id', 'h.chain')
		.select(['t.name', 't.tokenid', 't.nft_code', 'h.units'])
		.where('c.name', '=', chain)
		.where('h.holder', '=', pubkey)
		.where('h.units', '>', 0n)
		.orderBy('h.units', 'desc')
		.limit(limit)
		.execute();
	return rows.map(({ name, tokenid, units, nft_code: code }) => ({
		tokenid: Buffer.from(tokenid).toString('hex'),
		name,
		units,
		nonFungible: code !== null
	}));
}
