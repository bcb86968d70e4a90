import { isKnown, notModified } from '#lib/server/chains/lists/answer.ts';
import { openRpcText } from '#lib/server/rpc-proxy/openrpc/daemon.ts';
import type { RequestHandler } from './$types';

export const GET: RequestHandler = ({ request, locals }) => {
	// What runs here is not for visitors.
	const daemons = locals.account === null ? [] : locals.app.gateway.daemons().map(({ id }) => id);
	const { text, etag } = openRpcText(locals.app.auth.origin, daemons);
	if (isKnown(request, etag)) return notModified(etag);
	return new Response(text, {
		headers: { 'content-type': 'application/json', 'cache-control': 'private, no-cache', etag }
	});
};
