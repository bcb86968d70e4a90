import type { RequestEvent } from '@sveltejs/kit';
import type { routes } from '#lib/server/access/policy/routes.ts';
import { FOLDED_COOKIE, foldedGroups } from '#lib/ui/frame/sidebar.ts';

/** Routes that anonymous visitors may read; any other route in the list below is a compile error. */
type ReadRoute = {
	[route in keyof typeof routes]: (typeof routes)[route] extends { GET: 'read' } ? route : never;
}[keyof typeof routes];

/** Pages of chain data that are the same for all anonymous visitors. */
const SHARED: ReadonlySet<string> = new Set<ReadRoute>([
	'/',
	'/chains/[chain]',
	'/chains/[chain]/address/[address]',
	'/chains/[chain]/addresses',
	'/chains/[chain]/block/[id]',
	'/chains/[chain]/blocks',
	'/chains/[chain]/imports',
	'/chains/[chain]/mempool',
	'/chains/[chain]/mom',
	'/chains/[chain]/momom',
	'/chains/[chain]/notarizations',
	'/chains/[chain]/notarizations/[txid]',
	'/chains/[chain]/proof/[txid]',
	'/chains/[chain]/token/[tokenid]',
	'/chains/[chain]/tokens',
	'/chains/[chain]/transactions',
	'/chains/[chain]/transfers',
	'/chains/[chain]/tx/[txid]',
	'/reconciliation',
	'/routes',
	'/transfers'
]);

/** Key of a shared page: everything it depends on besides chain data. None of it is private to a caller. */
const keyOf = ({ url, locals, cookies }: RequestEvent): string =>
	JSON.stringify([url.href, locals.secure, locals.theme, foldedGroups(cookies.get(FOLDED_COOKIE))]);

/**
 * Serves anonymous visitors a page rendered moments ago for another visitor; members and scripts get their
 * own.
 */
export function sharedPage(
	event: RequestEvent,
	answer: () => Promise<Response>
): Promise<Response> {
	const { identity, app } = event.locals;
	const { request, route, isDataRequest, isSubRequest } = event;
	const isShared =
		identity.via === 'public' &&
		request.method === 'GET' &&
		!isDataRequest &&
		!isSubRequest &&
		route.id !== null &&
		SHARED.has(route.id);
	if (!isShared) return answer();
	return app.sharedPages.answer(keyOf(event), request.headers.get('accept-encoding'), async () => {
		const response = await answer();
		return { response, mayBeShared: event.locals.databaseError === null };
	});
}
