import type { RequestEvent } from '@sveltejs/kit';
import { checkWho } from '#lib/server/access/policy/allow.ts';
import { refusalOf } from '#lib/server/access/requests/guard.ts';
import { movedAddress, movedChainPage } from '#lib/server/platform/http/movedAddress.ts';
import { refuse } from './refuse.ts';

function answerTo({ url }: RequestEvent, path: string): Response {
	// Not thrown, for the reason in `refuse`: it may be an address that cannot be decoded.
	const location = path + url.search;
	return new Response(null, { status: 308, headers: { location } });
}

/** Sends an address of before to the one of now, whoever asks; null where it has not moved. */
export function movedAnswer(event: RequestEvent): Response | null {
	const path = movedAddress(event.url.pathname, () => false);
	return path === null ? null : answerTo(event, path);
}

/** The same for the pages of chains, where no route has the address; who may not read is refused. */
export async function movedChainAnswer(event: RequestEvent): Promise<Response | null> {
	const { locals, url } = event;
	const { auth, gateway } = locals.app;
	const mayRead = checkWho('read', locals.identity, auth.publicBrowsing) === 'allowed';
	const moved = movedChainPage(url.pathname, gateway.chains(), mayRead);
	if (moved === null) return null;
	if (moved !== 'sign-in') return answerTo(event, moved.to);
	return refuse(event, refusalOf('sign-in-needed'));
}
