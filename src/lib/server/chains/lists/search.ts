/** Searches everything in the index. */
import { sql } from 'kysely';
import { searchHits } from '#lib/messages/pages/search.ts';
import type { Index } from '../indexer/open.ts';
import { foldName } from '../indexer/fold.ts';
import { findHash, findPrefix, isOneOf, type HashHit } from './searchHashes.ts';
import { findNames } from './searchNames.ts';
import { meaningsOf, type Meanings } from './searchText.ts';
import { shortId } from '#lib/text/shortId.ts';

/** A search result. */
export interface SearchHit {
	chain: string;
	what: 'chain' | 'block' | 'transaction' | 'token' | 'address' | 'pubkey';
	/** Display text: "Block 120", "Token “TOK”". */
	words: string;
	/** Distinguishes it from others of its kind; may be empty. */
	note: string;
	href: string;
	/** Whether the text matches completely, not by similarity or prefix. */
	exact: boolean;
}

interface SearchFound {
	/** What the text may refer to. */
	meanings: Meanings;
	/** Best first, grouped by kind. */
	hits: SearchHit[];
}

const at = (chain: string, ...rest: string[]): string =>
	`/chains/${[chain, ...rest].map(encodeURIComponent).join('/')}`;
/** Sorts after every text that has the preceding part as a prefix. */
const LAST = '\u{10ffff}';

function hashHit({ chain, what, hash, height, detail }: HashHit, exact: boolean): SearchHit {
	switch (what) {
		case 'block':
			return {
				chain,
				what,
				words: searchHits.block(height),
				note: shortId(hash),
				href: at(chain, 'block', hash),
				exact
			};
		case 'token':
			return {
				chain,
				what,
				words: searchHits.token(detail ?? ''),
				note: shortId(hash),
				href: at(chain, 'token', hash),
				exact
			};
		case 'transaction':
			return {
				chain,
				what,
				words: searchHits.transaction(shortId(hash)),
				note: searchHits.transactionNote(detail ?? '', height),
				href: at(chain, 'tx', hash),
				exact
			};
	}
}

/** The block at a height, on every chain. */
async function findHeight(
	index: Index,
	chains: readonly bigint[],
	height: number
): Promise<SearchHit[]> {
	const rows = await index
		.selectFrom('ix_chains as c')
		.innerJoin('ix_blocks as b', (on) =>
			on.onRef('b.chain', '=', 'c.id').on('b.height', '=', BigInt(height))
		)
		.select(['c.name', 'b.hash'])
		.where(isOneOf('c.id', chains))
		.orderBy('c.name')
		.execute();
	return rows.map(({ name, hash }) => ({
		chain: name,
		what: 'block',
		words: searchHits.block(height),
		note: shortId(Buffer.from(hash).toString('hex')),
		href: at(name, 'block', String(height)),
		exact: true
	}));
}

/** Finds the address, or addresses with this prefix, that have a history on a chain. */
async function findAddresses(
	index: Index,
	chains: readonly bigint[],
	{ address, addressPrefix, pubkey }: Meanings,
	limit: number
): Promise<SearchHit[]> {
	const base = index
		.selectFrom('ix_addresses as a')
		.innerJoin('ix_chains as c', 'c.id', 'a.chain')
		.select(['c.name', 'a.address', 'a.txs'])
		.where(isOneOf('a.chain', chains))
		.orderBy('a.address')
		.limit(limit);
	const rows =
		address !== null
			? await base.where('a.address', '=', address).execute()
			: addressPrefix !== null
				? await base
						.where('a.address', '>=', addressPrefix)
						.where('a.address', '<', addressPrefix + LAST)
						.execute()
				: [];
	return rows.map((row) => ({
		chain: row.name,
		what: pubkey === null ? 'address' : 'pubkey',
		words: pubkey === null ? searchHits.address(row.address) : searchHits.keyAddress(row.address),
		note: searchHits.addressNote(row.txs),
		href: at(row.name, 'address', row.address),
		exact: address !== null
	}));
}

/** Tokens that a key holds. */
async function findHeld(
	index: Index,
	chains: readonly bigint[],
	pubkey: string,
	limit: number
): Promise<SearchHit[]> {
	const rows = await index
		.selectFrom('ix_holders as h')
		.innerJoin('ix_tokens as t', (on) =>
			on.onRef('t.chain', '=', 'h.chain').onRef('t.seq', '=', 'h.token')
		)
		.innerJoin('ix_chains as c', 'c.id', 'h.chain')
		.select(['c.name as chain', 't.name', 't.tokenid', 'h.units'])
		.where('h.holder', '=', pubkey)
		.where('h.units', '>', 0n)
		.where(isOneOf('h.chain', chains))
		.limit(limit)
		.execute();
	return rows.map(({ chain, name, tokenid, units }) => ({
		chain,
		what: 'token',
		words: searchHits.token(name),
		note: searchHits.heldNote(units),
		href: at(chain, 'token', Buffer.from(tokenid).toString('hex')),
		exact: true
	}));
}

const chainHit = (name: string, text: string): SearchHit => ({
	chain: name,
	what: 'chain',
	words: searchHits.chain(name),
	note: '',
	href: at(name),
	exact: name.toLowerCase() === text.toLowerCase()
});

/**
 * Everything in the index that a text names, at most `limit` of each kind. Each question reads a bounded
 * number of rows, whatever the text and however large the index.
 *
 * @param configured names of the chains to search: the index also contains chains no longer configured
 */
export async function search(
	index: Index,
	text: string,
	{ limit, configured }: { limit: number; configured: readonly string[] }
): Promise<SearchFound> {
	const meanings = meaningsOf(text);
	const { name, height, hash, prefix, pubkey } = meanings;
	if (meanings.text === '') return { meanings, hits: [] };
	const indexed = await index.selectFrom('ix_chains').select(['id', 'name']).execute();
	const chains = indexed.filter((chain) => configured.includes(chain.name));
	if (chains.length === 0) return { meanings, hits: [] };
	const ids = chains.map((chain) => chain.id);
	const names = new Map(chains.map((chain) => [chain.id, chain.name]));
	const wanted = meanings.text.toLowerCase();
	const nothing: SearchHit[] = [];
	const [heights, hashes, prefixes, addresses, held, tokens] = await Promise.all([
		height === null ? nothing : findHeight(index, ids, height),
		hash === null ? [] : findHash(index, ids, hash, limit),
		prefix === null ? [] : findPrefix(index, ids, prefix, limit),
		findAddresses(index, ids, meanings, limit),
		pubkey === null ? nothing : findHeld(index, ids, pubkey, limit),
		name === null ? [] : findNames(index, name, names, limit)
	]);
	const hits = [
		...chains
			.filter((chain) => name !== null && chain.name.toLowerCase().startsWith(wanted))
			.sort((a, b) => a.name.length - b.name.length)
			.map((chain) => chainHit(chain.name, wanted)),
		...heights,
		...hashes.map((hit) => hashHit(hit, true)),
		...addresses,
		...held,
		...tokens.map(({ chain, tokenid, name: found, errors }) => ({
			chain,
			what: 'token' as const,
			words: searchHits.token(found),
			note: shortId(tokenid),
			href: at(chain, 'token', tokenid),
			exact: errors === 0 && foldName(found) === foldName(meanings.text)
		})),
		...prefixes.map((hit) => hashHit(hit, false))
	];
	// A token may have the beginning of its own tokenid as name, and would be found twice.
	const hrefs = hits.map(({ what, href }) => `${what} ${href}`);
	return { meanings, hits: hits.filter((_hit, at) => hrefs.indexOf(hrefs[at]!) === at) };
}

/** Returns the configured chains whose index may lack blocks that their daemon has. */
export async function behindChains(index: Index, configured: readonly string[]): Promise<string[]> {
	const rows = await index
		.selectFrom('ix_chains')
		.select('name')
		.where('state', '=', 'current')
		// The first block has nothing that is searched for.
		.where('start_height', '<=', 1n)
		.where(sql<boolean>`height >= target_height`)
		.execute();
	const current = new Set(rows.map((row) => row.name));
	return configured.filter((chain) => !current.has(chain));
}
