import { detailAnswer } from '#lib/server/api/detailAnswer.ts';
import type { RequestHandler } from './$types';

export const GET: RequestHandler = ({ locals: { app, requestId }, request, url, params }) =>
	detailAnswer('blocks', {
		index: app.index,
		chains: app.gateway.chains(),
		request,
		url,
		requestId,
		chain: params.chain,
		id: params.id
	});
