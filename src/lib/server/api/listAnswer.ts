import type { Index } from '../chains/indexer/open.ts';
import { answering, etagOf, isKnown, jsonAnswer, notModified } from '../chains/lists/answer.ts';
import { readChainFacts } from '../chains/lists/chainRoutes.ts';
import { allProgress, chains } from '../chains/lists/chains.ts';
import { exportList } from '../chains/lists/exportList.ts';
import type { AnyList } from '../chains/lists/list.ts';
import { listOf, listQuery } from '../chains/lists/listQuery.ts';
import { routes } from '../chains/lists/routes.ts';
import { AppError } from '../platform/errors/appError.ts';

interface ListRequest {
	index: Index;
	/** Names of the configured chains. */
	chains: readonly string[];
	request: Request;
	url: URL;
	requestId: string;
	/** `tokens`, `tokens.csv`, `tokens.json`. */
	file: string;
	chain?: string;
}

/**
 * Returns a text that changes whenever responses from the index may change: height, tip and last write of each
 * chain, or of the given one.
 */
export async function indexState(index: Index, chain?: string): Promise<string> {
	const all = [...(await allProgress(index)).values()];
	return all
		.filter(({ name }) => chain === undefined || name === chain)
		.map(
			({ name, startHeight, height, hash, writtenAt }) =>
				`${name} ${startHeight} ${height} ${hash} ${writtenAt}`
		)
		.sort()
		.join('\n');
}

/** For the list of chains, which also shows progress that changes without a new block. */
async function progressState(index: Index): Promise<string> {
	const all = [...(await allProgress(index)).values()];
	return JSON.stringify(all.map((progress) => chains.wire(progress)));
}

/** For the list of routes, whose obstacles also depend on whether the index of KMD stands still. */
async function routesState(index: Index): Promise<string> {
	const [facts, state] = await Promise.all([readChainFacts(index), indexState(index)]);
	return `${JSON.stringify(facts)}\n${state}`;
}

/** Returns a text that changes whenever rows of the list may change. */
function stateOf(list: AnyList, index: Index, chain: string | undefined): Promise<string> {
	switch (list.name) {
		case chains.name:
			return progressState(index);
		case routes.name:
			return routesState(index);
		default:
			return indexState(index, chain);
	}
}

/** @throws {AppError} `api.chain-unknown` for a chain that is not configured */
export function requireChain(chains: readonly string[], chain: string): void {
	if (!chains.includes(chain)) {
		throw new AppError('api.chain-unknown', { chain: chain.slice(0, 64) });
	}
}

/** Responds with one page of a list, or with the whole list as a file. */
export function listAnswer(asked: ListRequest): Promise<Response> {
	const { index, request, url, chain, file } = asked;
	return answering(asked.requestId, async () => {
		if (chain !== undefined) requireChain(asked.chains, chain);
		const { list, form } = listOf(file, chain === undefined ? 'all' : 'chain');
		const query = listQuery(list, chain, url.searchParams);
		const etag = etagOf(url, await stateOf(list, index, chain));
		if (isKnown(request, etag)) return notModified(etag);
		if (form !== 'json') return exportList(index, list, query, form, etag);
		const { rows, next, previous } = await list.read(index, query);
		return jsonAnswer({ rows: rows.map((row) => list.wire(row)), next, previous }, { etag });
	});
}
