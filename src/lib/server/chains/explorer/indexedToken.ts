/** A token as the index knows it, for while its daemon does not answer. */
import { bytesToHex } from '#lib/chain/bytes.ts';
import type { Index } from '../indexer/open.ts';
import { chainProgress } from '../lists/chains.ts';
import { readIndexedToken } from '../lists/tokens.ts';
import type { PageClient } from './pageClient.ts';
import type { Known, Piece } from './piece.ts';
import { readToken, type TokenFacts } from './tokens.ts';

/** Null where the index does not hold the token. */
async function indexedToken(
	index: Index,
	chain: string,
	tokenid: string
): Promise<Known<TokenFacts> | null> {
	const progress = await chainProgress(index, chain);
	const row = progress && (await readIndexedToken(index, progress.id, tokenid));
	if (!row) return null;
	const data = {
		tokenid,
		name: row.name,
		supply: row.supply,
		owner: row.owner,
		description: row.description,
		kind: row.nft_code === null ? ('fungible' as const) : ('non-fungible' as const),
		data: row.nft_data,
		imported:
			row.origin_chain === null
				? null
				: {
						chain: row.origin_chain === '' ? null : row.origin_chain,
						tokenid: row.origin_tokenid && bytesToHex(row.origin_tokenid)
					}
	};
	return { at: progress.lookedAt, data };
}

/** The facts of a token: from its daemon, and while that does not answer from the index. */
export function tokenPiece(
	client: PageClient,
	index: Index,
	chain: string,
	tokenid: string
): Promise<Piece<TokenFacts>> {
	return client.piece(
		chain,
		`token ${tokenid}`,
		() => readToken(client, chain, tokenid),
		() => indexedToken(index, chain, tokenid)
	);
}

/** What a key holds of a token by the index; null where it does not hold the token. */
export async function indexedUnits(
	index: Index,
	chain: string,
	tokenid: string,
	pubkey: string
): Promise<Known<bigint> | null> {
	const progress = await chainProgress(index, chain);
	const token = progress && (await readIndexedToken(index, progress.id, tokenid));
	if (!token) return null;
	const row = await index
		.selectFrom('ix_holders')
		.select('units')
		.where('chain', '=', progress.id)
		.where('token', '=', token.seq)
		.where('holder', '=', pubkey.toLowerCase())
		.executeTakeFirst();
	return { at: progress.lookedAt, data: row?.units ?? 0n };
}

/** Units of a token that the wallet holds which the client's gateway picks for its person. */
export function ownUnits(
	client: PageClient,
	index: Index,
	chain: string,
	tokenid: string
): Promise<Piece<bigint>> {
	const wallet = client.gateway.daemonFor(chain, 'wallet');
	const pubkey = wallet?.pubkey ?? null;
	return client.piece(
		chain,
		// What was known of another wallet of the chain is not told of this one.
		`own balance ${tokenid} ${wallet?.id}`,
		async () => (await client.callWallet(chain, 'tokenbalance', [tokenid])).balance,
		async () => (pubkey === null ? null : indexedUnits(index, chain, tokenid, pubkey))
	);
}
