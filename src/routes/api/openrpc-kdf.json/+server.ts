import { kdfOpenRpcText } from '#lib/server/rpc-proxy/openrpc/kdf.ts';
import type { RequestHandler } from './$types';

export const GET: RequestHandler = ({ locals }) => {
	// What runs here is not for visitors.
	const nodes = locals.account === null ? [] : locals.app.config.nodes.map(({ id }) => id);
	return new Response(kdfOpenRpcText(locals.app.auth.origin, nodes), {
		headers: { 'content-type': 'application/json', 'cache-control': 'private, no-cache' }
	});
};
