import type { RequestEvent } from '@sveltejs/kit';
import type { routes } from '#lib/server/access/policy/routes.ts';

/** Where a page of another site may post JSON. What is posted anonymously elsewhere is for no page. */
const FOR_PAGES: ReadonlySet<string> = new Set<keyof typeof routes>([
	'/api/notary-approvals/[txid]'
]);

const HEADERS = {
	'access-control-allow-origin': '*',
	'access-control-allow-methods': 'GET, POST',
	'access-control-allow-headers': 'content-type, if-none-match',
	'access-control-max-age': '86400'
} as const;

/**
 * Tells a browser that a page of another site may post JSON to a route (Fetch, CORS-preflight request); null for
 * everything else.
 */
export function preflightAnswer({ request, route }: RequestEvent): Response | null {
	if (request.method !== 'OPTIONS' || route.id === null) return null;
	return FOR_PAGES.has(route.id) ? new Response(null, { status: 204, headers: HEADERS }) : null;
}
