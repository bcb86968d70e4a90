import type { DaemonResult } from '#lib/rpc/daemon/index.ts';
import type { Ask } from './ask.ts';
import { isRefusal } from './problem.ts';

/** The facts of a token that lists and its page show. */
export interface TokenFacts {
	tokenid: string;
	name: string;
	/** Token units; one unit locks one satoshi. */
	supply: bigint;
	/** Compressed key of the creator, hex. */
	owner: string;
	description: string;
	kind: 'fungible' | 'non-fungible';
	/** Hex of the non-fungible payload, its eval code first. */
	data: string | null;
	/** Where an imported token comes from; a member is null where the daemon cannot tell. */
	imported: { chain: string | null; tokenid: string | null } | null;
}

/** One line of the list: the facts, or why they are not there. */
export type TokenLine = { tokenid: string; facts: TokenFacts | null };

export interface TokenPage {
	/** All tokens of the chain, and those that fit the text that is looked for. */
	total: number;
	found: number;
	/** Tokens beyond those that are looked through for a text. */
	unseen: number;
	/** First page is 1. */
	page: number;
	pages: number;
	lines: TokenLine[];
}

const UNDECODABLE = "can't decode";

/** Shapes the daemon's answer to `tokeninfo`. */
export function tokenFacts(info: DaemonResult<'tokeninfo'>): TokenFacts {
	const known = (text: string | undefined) =>
		text === undefined || text === UNDECODABLE || text === '' ? null : text;
	return {
		tokenid: info.tokenid,
		name: info.name,
		supply: info.supply,
		owner: info.owner,
		description: info.description,
		kind: info.data === undefined ? 'fungible' : 'non-fungible',
		data: info.data ?? null,
		imported:
			info.IsImported === 'yes'
				? { chain: known(info.sourceChain), tokenid: known(info.sourceTokenId) }
				: null
	};
}

/**
 * The facts of one token. They follow from the creation transaction, so they are asked for once.
 * @throws {UpstreamError}
 */
export function readToken(ask: Ask, chain: string, tokenid: string): Promise<TokenFacts> {
	return ask.once(
		chain,
		`token ${tokenid}`,
		async () => tokenFacts(await ask.call(chain, 'tokeninfo', [tokenid])),
		() => true
	);
}

/** What to show of a chain's tokens. */
export interface TokenWish {
	/** Text to look for in name, description and id; empty for all. */
	text: string;
	/** First page is 1. */
	page: number;
	size: number;
}

/** Reading the facts of this many tokens to look through them is still a page's work. */
const LOOKED_THROUGH = 2_000;

/**
 * One page of a chain's tokens, in the daemon's own order.
 * @throws {UpstreamError}
 */
export async function tokenPage(ask: Ask, chain: string, wish: TokenWish): Promise<TokenPage> {
	// A token whose creation has several marker outputs is listed several times.
	const ids = [...new Set(await ask.call(chain, 'tokenlist', []))];
	const text = wish.text.toLowerCase();
	const all = text === '' ? null : await readLines(ask, chain, ids.slice(0, LOOKED_THROUGH));
	const found =
		all === null ? ids : all.filter((line) => fits(line, text)).map(({ tokenid }) => tokenid);
	const pages = Math.max(1, Math.ceil(found.length / wish.size));
	const page = Math.min(Math.max(1, wish.page), pages);
	return {
		total: ids.length,
		found: found.length,
		unseen: all === null ? 0 : ids.length - all.length,
		page,
		pages,
		lines: await readLines(ask, chain, found.slice((page - 1) * wish.size, page * wish.size))
	};
}

function readLines(ask: Ask, chain: string, ids: readonly string[]): Promise<TokenLine[]> {
	return Promise.all(
		ids.map(async (tokenid): Promise<TokenLine> => {
			try {
				return { tokenid, facts: await readToken(ask, chain, tokenid) };
			} catch (error) {
				if (isRefusal(error)) return { tokenid, facts: null };
				throw error;
			}
		})
	);
}

function fits({ tokenid, facts }: TokenLine, text: string): boolean {
	return [tokenid, facts?.name ?? '', facts?.description ?? ''].some((part) =>
		part.toLowerCase().includes(text)
	);
}
