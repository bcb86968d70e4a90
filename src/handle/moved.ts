import type { RequestEvent } from '@sveltejs/kit';
import { checkWho } from '#lib/server/access/policy/allow.ts';
import { refusalOf } from '#lib/server/access/requests/guard.ts';
import { movedAddress, movedChainPage } from '#lib/server/platform/http/movedAddress.ts';
import { refuse } from './refuse.ts';

function answerTo({ url }: RequestEvent, path: string): Response {
	// Returned instead of thrown, as in `refuse`: the path may be undecodable.
	const location = path + url.search;
	return new Response(null, { status: 308, headers: { location } });
}

/**
 * Redirects an address of an earlier release to the current one, for any caller; null when it has not moved.
 */
export function movedAnswer(event: RequestEvent): Response | null {
	const path = movedAddress(event.url.pathname, () => false);
	return path === null ? null : answerTo(event, path);
}

/** Redirects earlier addresses of chain pages, which match no route; refuses callers who may not read. */
export async function movedChainAnswer(event: RequestEvent): Promise<Response | null> {
	const { locals, url } = event;
	const { auth, gateway } = locals.app;
	const mayRead = checkWho('read', locals.identity, auth.publicBrowsing) === 'allowed';
	const moved = movedChainPage(url.pathname, gateway.chains(), mayRead);
	if (moved === null) return null;
	if (moved !== 'sign-in') return answerTo(event, moved.to);
	return refuse(event, refusalOf('sign-in-needed'));
}
