import { isPubkeyText } from '#lib/chain/idText.ts';
import { searchFaults, searchHits } from '#lib/messages/pages/search.ts';
import { reported } from '#lib/rpc/tolerant.ts';
import { meaningsOf } from '../lists/searchText.ts';
import type { PageClient } from './pageClient.ts';
import { isTakenBack, readBlockFacts } from './blocks.ts';
import type { Problem } from './piece.ts';
import { isRefusal, orNothing, problemOf } from './problem.ts';

/** A search result. */
interface Hit {
	chain: string;
	what: 'chain' | 'block' | 'transaction' | 'token' | 'address' | 'pubkey';
	/** Display text: "Block 120", "Token “TOK”". */
	words: string;
	href: string;
}

interface SearchResult {
	hits: Hit[];
	/** Chains that could not be searched, so that results may be missing. */
	problems: Problem[];
	/** Why the text cannot match anything, as a sentence; null when it can. */
	fault: string | null;
}

/** What a search text may refer to. */
type Query =
	| { is: 'height'; height: number }
	| { is: 'hash'; hash: string }
	| { is: 'pubkey'; pubkey: string; address: string }
	| { is: 'address'; address: string }
	| { is: 'name'; name: string }
	| { is: 'nothing'; fault: string };

/** Interprets a search text, without any call. */
export function readQuery(text: string): Query {
	const { text: query, height, hash, pubkey, address } = meaningsOf(text);
	if (query === '') return { is: 'nothing', fault: searchFaults.empty };
	if (height !== null) return { is: 'height', height };
	if (hash !== null) return { is: 'hash', hash };
	if (address !== null) {
		return pubkey === null ? { is: 'address', address } : { is: 'pubkey', pubkey, address };
	}
	if (isPubkeyText(query.toLowerCase())) return { is: 'nothing', fault: searchFaults.notAKey };
	if (/^[0-9a-f]{40,}$/i.test(query))
		return {
			is: 'nothing',
			fault: searchFaults.digits(query.length)
		};
	if (/^[Rb][1-9A-HJ-NP-Za-km-z]{25,40}$/.test(query))
		return {
			is: 'nothing',
			fault: searchFaults.checksum
		};
	return { is: 'name', name: query };
}

const at = (chain: string, ...rest: string[]) =>
	`/chains/${[chain, ...rest].map(encodeURIComponent).join('/')}`;

/** Searches the daemons of these chains. */
export async function search(
	client: PageClient,
	query: Query,
	chains: readonly string[] = client.gateway.chains()
): Promise<SearchResult> {
	if (query.is === 'nothing') return { hits: [], problems: [], fault: query.fault };
	const problems: Problem[] = [];
	const found = await Promise.all(
		chains.map(async (chain) => {
			try {
				return await searchChain(client, chain, query);
			} catch (error) {
				problems.push(problemOf(chain, error, client.daemon(chain)?.health, false));
				return [];
			}
		})
	);
	return { hits: found.flat(), problems, fault: null };
}

async function searchChain(
	client: PageClient,
	chain: string,
	query: Exclude<Query, { is: 'nothing' }>
): Promise<Hit[]> {
	switch (query.is) {
		case 'name': {
			const wanted = query.name.toLowerCase();
			const hits: Hit[] = [];
			if (chain.toLowerCase() === wanted)
				hits.push({ chain, what: 'chain', words: searchHits.chain(chain), href: at(chain) });
			return hits;
		}
		case 'address':
			return [
				{
					chain,
					what: 'address',
					words: searchHits.anyAddress,
					href: at(chain, 'address', query.address)
				}
			];
		case 'pubkey':
			return [
				{
					chain,
					what: 'pubkey',
					words: searchHits.keyAddress(query.address),
					href: at(chain, 'address', query.address)
				}
			];
		case 'height': {
			const tip = await client.call(chain, 'getblockcount', []);
			return query.height > tip
				? []
				: [
						{
							chain,
							what: 'block',
							words: searchHits.block(query.height),
							href: at(chain, 'block', String(query.height))
						}
					];
		}
		case 'hash':
			return (
				await Promise.all([
					blockHit(client, chain, query.hash),
					tokenHit(client, chain, query.hash),
					transactionHit(client, chain, query.hash)
				])
			).flat();
	}
}

async function blockHit(client: PageClient, chain: string, hash: string): Promise<Hit[]> {
	const header = await orNothing(readBlockFacts(client, chain, hash));
	return header === undefined || isTakenBack(header)
		? []
		: [
				{
					chain,
					what: 'block',
					words: searchHits.block(header.height),
					href: at(chain, 'block', hash)
				}
			];
}

async function tokenHit(client: PageClient, chain: string, tokenid: string): Promise<Hit[]> {
	// A daemon without a key refuses all token methods, but serves everything else.
	const info = await orNothing(client.call(chain, 'tokeninfo', [tokenid]), isRefusal);
	return info === undefined
		? []
		: [
				{
					chain,
					what: 'token',
					words: searchHits.token(reported(info, 'name')),
					href: at(chain, 'token', tokenid)
				}
			];
}

async function transactionHit(client: PageClient, chain: string, txid: string): Promise<Hit[]> {
	const hex = await orNothing(client.call(chain, 'getrawtransaction', [txid, 0]));
	return hex === undefined
		? []
		: [
				{
					chain,
					what: 'transaction',
					words: searchHits.anyTransaction,
					href: at(chain, 'tx', txid)
				}
			];
}
