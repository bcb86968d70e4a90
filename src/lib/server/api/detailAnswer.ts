import type { Index } from '../chains/indexer/open.ts';
import { answering, etagOf, isKnown, jsonAnswer, notModified } from '../chains/lists/answer.ts';
import { parametersOf, refuseUnknown } from '../chains/lists/listQuery.ts';
import { details, firstPart, indexedChain, type Detail } from './details.ts';
import { indexState, requireChain } from './listAnswer.ts';

interface DetailRequest {
	index: Index;
	chains: readonly string[];
	request: Request;
	url: URL;
	requestId: string;
	chain: string;
	id: string;
}

/** Responds with one item of a chain. */
export function detailAnswer(name: Detail['name'], asked: DetailRequest): Promise<Response> {
	const { index, request, url, chain } = asked;
	return answering(asked.requestId, async () => {
		requireChain(asked.chains, chain);
		const detail = details.find((candidate) => candidate.name === name)!;
		const given = parametersOf(url.searchParams);
		refuseUnknown([...given.keys()].find((one) => one !== 'from' || !detail.paged));
		const from = firstPart(given.get('from') ?? null);
		const etag = etagOf(url, await indexState(index));
		if (isKnown(request, etag)) return notModified(etag);
		const found = await detail.read(index, await indexedChain(index, chain), asked.id, from);
		return jsonAnswer(found, { etag });
	});
}
