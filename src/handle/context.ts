import type { RequestEvent } from '@sveltejs/kit';
import { withoutPort } from '#lib/server/platform/net/callerAddress.ts';
import type { RequestContext } from '#lib/server/access/audit/context.ts';

/** Returns the context of a request, which is passed to everything that handles it. */
export const contextOf = ({
	requestId: id,
	callerRequestId: callerId,
	identity
}: App.Locals): RequestContext => ({
	id,
	callerId,
	actor: identity.via === 'public' ? null : identity,
	refused: false,
	acted: false
});

/**
 * Returns the client's address; that of the connection when a request came directly although a proxy is
 * configured.
 */
export function addressOf({ getClientAddress, platform }: RequestEvent): string {
	try {
		return withoutPort(getClientAddress());
	} catch {
		return platform?.req.socket.remoteAddress ?? 'unknown';
	}
}

/** Tells whether a browser requests a page to display, not data. */
export const wantsPage = ({ request, isDataRequest }: RequestEvent): boolean =>
	!isDataRequest && (request.headers.get('accept') ?? '').includes('text/html');
