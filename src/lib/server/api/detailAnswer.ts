import type { Index } from '../chains/indexer/open.ts';
import { answering, etagOf, isKnown, jsonAnswer, notModified } from '../chains/lists/answer.ts';
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

/** One thing of a chain. */
export function detailAnswer(name: Detail['name'], asked: DetailRequest): Promise<Response> {
	const { index, request, url, chain } = asked;
	return answering(asked.requestId, async () => {
		requireChain(asked.chains, chain);
		const detail = details.find((candidate) => candidate.name === name)!;
		const etag = etagOf(url, await indexState(index));
		if (isKnown(request, etag)) return notModified(etag);
		const from = firstPart(url.searchParams.get('from'));
		const found = await detail.read(index, await indexedChain(index, chain), asked.id, from);
		return jsonAnswer(found, { etag });
	});
}
