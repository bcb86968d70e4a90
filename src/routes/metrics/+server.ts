import type { RequestHandler } from './$types';

export const GET: RequestHandler = async ({ locals: { app } }) =>
	new Response(await app.metrics.text(), {
		headers: { 'content-type': app.metrics.contentType, 'cache-control': 'no-store' }
	});
