import { listAnswer } from '#lib/server/api/listAnswer.ts';
import type { RequestHandler } from './$types';

export const GET: RequestHandler = ({ locals: { app, requestId }, request, url, params }) =>
	listAnswer({
		index: app.index,
		chains: app.gateway.chains(),
		request,
		url,
		requestId,
		file: params.file
	});
