import { redirect, type RequestEvent } from '@sveltejs/kit';
import { checkWho } from '#lib/server/access/policy/allow.ts';
import { refusalOf } from '#lib/server/access/requests/guard.ts';
import { movedAddress, movedChainPage } from '#lib/server/platform/http/movedAddress.ts';
import { refuse } from './refuse.ts';

function answerTo({ url, isDataRequest }: RequestEvent, path: string): Response {
	const location = path + url.search;
	// For a data request SvelteKit has a form of its own, which it makes of the thrown one.
	if (isDataRequest) redirect(308, location);
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
