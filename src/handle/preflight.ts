import type { RequestEvent } from '@sveltejs/kit';
import { whoMay } from '#lib/server/access/policy/allow.ts';
import { routes } from '#lib/server/access/policy/routes.ts';

const HEADERS = {
	'access-control-allow-origin': '*',
	'access-control-allow-methods': 'GET, POST',
	'access-control-allow-headers': 'content-type, if-none-match',
	'access-control-max-age': '86400'
} as const;

/**
 * Tells a browser that a page of another site may post JSON where no one has to log in to post (Fetch, CORS-preflight
 * request); null for everything else.
 */
export function preflightAnswer({ request, route }: RequestEvent): Response | null {
	if (request.method !== 'OPTIONS' || route.id === null) return null;
	const isForAll = whoMay(routes, route.id, 'POST') === 'anonymous';
	return isForAll ? new Response(null, { status: 204, headers: HEADERS }) : null;
}
