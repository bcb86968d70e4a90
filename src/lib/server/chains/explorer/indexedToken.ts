/** Tokens from the index, for while their daemon does not answer. */
import { bytesToHex } from '#lib/chain/bytes.ts';
import type { Index } from '../indexer/open.ts';
import { chainProgress } from '../lists/chains.ts';
import { readIndexedToken } from '../lists/tokens.ts';
import type { PageClient } from './pageClient.ts';
import type { Known, Piece } from './piece.ts';
import { readToken, type TokenFacts } from './tokens.ts';

/** Returns the facts of a token; null when it is not indexed. */
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

/**
 * Returns the facts of a token: from its daemon, or from the index while that does not answer or leaves some of them
 * out.
 */
export function tokenPiece(
	client: PageClient,
	index: Index,
	chain: string,
	tokenid: string
): Promise<Piece<TokenFacts>> {
	return client.piece(
		chain,
		`token ${tokenid}`,
		async () => {
			const facts = await readToken(client, chain, tokenid);
			const { name, supply, owner, description } = facts;
			if (![name, supply, owner, description].includes(null)) return facts;
			return (await indexedToken(index, chain, tokenid))?.data ?? facts;
		},
		() => indexedToken(index, chain, tokenid)
	);
}

/** Returns a key's balance of a token by the index; null when the token is not indexed. */
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

/** Returns the units of a token in the wallet that the client's gateway selects for the user. */
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
		// Includes the wallet's id, so that a remembered balance is never shown for another wallet.
		`own balance ${tokenid} ${wallet?.id}`,
		async () => (await client.callWallet(chain, 'tokenbalance', [tokenid])).balance,
		async () => (pubkey === null ? null : indexedUnits(index, chain, tokenid, pubkey))
	);
}
