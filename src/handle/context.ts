import type { RequestEvent } from '@sveltejs/kit';
import { withoutPort } from '#lib/server/platform/net/callerAddress.ts';
import type { RequestContext } from '#lib/server/access/audit/context.ts';

/** What a request is known by, wherever it leads. */
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

/** Where a request came from; that of the connection where a proxy should have said it and was passed by. */
export function addressOf({ getClientAddress, platform }: RequestEvent): string {
	try {
		return withoutPort(getClientAddress());
	} catch {
		return platform?.req.socket.remoteAddress ?? 'unknown';
	}
}

/** Whether a browser asks for a page to show, and not for data. */
export const wantsPage = ({ request, isDataRequest }: RequestEvent): boolean =>
	!isDataRequest && (request.headers.get('accept') ?? '').includes('text/html');
