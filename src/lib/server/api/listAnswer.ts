import type { Index } from '../chains/indexer/open.ts';
import { answering, etagOf, isKnown, jsonAnswer, notModified } from '../chains/lists/answer.ts';
import { allProgress, chains } from '../chains/lists/chains.ts';
import { exportList } from '../chains/lists/exportList.ts';
import { listOf, listQuery } from '../chains/lists/listQuery.ts';
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
		const state = list.name === chains.name ? progressState(index) : indexState(index, chain);
		const etag = etagOf(url, await state);
		if (isKnown(request, etag)) return notModified(etag);
		if (form !== 'json') return exportList(index, list, query, form, etag);
		const { rows, next, previous } = await list.read(index, query);
		return jsonAnswer({ rows: rows.map((row) => list.wire(row)), next, previous }, { etag });
	});
}
