/** Searches the index, and the daemons for what is not indexed yet. */
import { isAppError } from '../../platform/errors/appError.ts';
import type { Index } from '../indexer/open.ts';
import { behindChains, search as searchIndex, type SearchHit } from '../lists/search.ts';
import type { PageClient } from './pageClient.ts';
import type { Problem } from './piece.ts';
import { problemOf } from './problem.ts';
import { readQuery, search as askDaemons } from './search.ts';

const PER_KIND = 25;

interface SearchAnswer {
	/** The text as it was searched: shortened and trimmed. */
	text: string;
	hits: SearchHit[];
	/** Chains that could not be searched, so that results may be missing. */
	problems: Problem[];
	/** Why the text cannot match anything, as a sentence; null when it can. */
	fault: string | null;
}

/** Returns the chains whose daemons have not synced them, as problems; a daemon that cannot tell has its own. */
async function unsynced(client: PageClient, chains: readonly string[]): Promise<Problem[]> {
	const problems = await Promise.all(
		chains.map(async (chain) => {
			try {
				const unread = await client.unreadBlocks(chain);
				return unread && problemOf(chain, unread, client.daemon(chain)?.health, false);
			} catch (error) {
				if (isAppError(error, 'daemon')) return null;
				throw error;
			}
		})
	);
	return problems.filter((problem) => problem !== null);
}

/**
 * Searches everything. Daemons are asked where their index is behind, and all of them when the index finds nothing,
 * because pending transactions are not indexed.
 */
export async function searchEverywhere(
	index: Index,
	client: PageClient,
	text: string
): Promise<SearchAnswer> {
	const chains = client.gateway.chains();
	const indexed = await searchIndex(index, text, { limit: PER_KIND, configured: chains });
	const found = { text: indexed.meanings.text, hits: indexed.hits };
	const query = readQuery(found.text);
	const known = found.hits.length > 0;
	if (query.is === 'nothing') {
		return { ...found, problems: [], fault: known ? null : query.fault };
	}
	const asked = known ? await behindChains(index, chains) : chains;
	const { hits, problems } = await askDaemons(client, query, asked);
	const hrefs = new Set(found.hits.map(({ href }) => href));
	const more = hits
		.filter(({ href }) => !hrefs.has(href))
		.map((hit) => ({ ...hit, note: '', exact: true }));
	const all = [...found.hits, ...more];
	// A height is looked for on each chain, anything else on any.
	const without =
		query.is === 'height'
			? chains.filter((chain) => !all.some((hit) => hit.chain === chain))
			: query.is === 'hash' && all.length === 0
				? chains
				: [];
	return {
		text: found.text,
		hits: all,
		problems: [...problems, ...(await unsynced(client, without))],
		fault: null
	};
}
