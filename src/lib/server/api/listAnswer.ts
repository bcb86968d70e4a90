import type { Index } from '../indexer/open.ts';
import { allProgress } from '../indexer/read/chains.ts';
import { answering, etagOf, isKnown, jsonAnswer, notModified } from './answer.ts';
import { ApiError } from './errors.ts';
import { exportList } from './exportList.ts';
import { listOf, listQuery } from './listQuery.ts';

export interface ListRequest {
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

/** What the answers of the index depend on: where each chain is. */
export async function indexState(index: Index, chain?: string): Promise<string> {
	const all = await allProgress(index);
	return [...all.values()]
		.filter(({ name }) => chain === undefined || name === chain)
		.map(({ name, height, hash }) => `${name} ${height} ${hash}`)
		.sort()
		.join('\n');
}

/** @throws {ApiError} for a chain that is not configured */
export function requireChain(chains: readonly string[], chain: string): void {
	if (!chains.includes(chain)) {
		throw new ApiError('unknown-chain', `No chain ${chain.slice(0, 64)} is configured.`);
	}
}

/** One page of a list, or the whole of it as a file. */
export function listAnswer(asked: ListRequest): Promise<Response> {
	const { index, request, url, chain, file } = asked;
	return answering(asked.requestId, async () => {
		if (chain !== undefined) requireChain(asked.chains, chain);
		const { list, form } = listOf(file, chain === undefined ? 'all' : 'chain');
		const query = listQuery(list, chain, url.searchParams);
		if (form !== 'json') return exportList(index, list, query, form);
		// Progress says more than the tip, and crossings join chains: only a chain's own rows depend on it alone.
		const cacheable = list.name !== 'chains';
		const etag = cacheable ? etagOf(url, await indexState(index)) : undefined;
		if (etag !== undefined && isKnown(request, etag)) return notModified(etag);
		const { rows, next } = await list.read(index, query);
		return jsonAnswer(
			{ rows: rows.map((row) => list.wire(row)), next },
			etag === undefined ? {} : { etag }
		);
	});
}
