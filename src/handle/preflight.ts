import type { RequestEvent } from '@sveltejs/kit';
import type { routes } from '#lib/server/access/policy/routes.ts';

/** Routes to which pages of other sites may post JSON. Other anonymous posts are not meant for pages. */
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
 * Answers the CORS preflight of a page of another site that wants to post JSON (Fetch, CORS-preflight
 * request); null for all other requests.
 */
export function preflightAnswer({ request, route }: RequestEvent): Response | null {
	if (request.method !== 'OPTIONS' || route.id === null) return null;
	return FOR_PAGES.has(route.id) ? new Response(null, { status: 204, headers: HEADERS }) : null;
}
