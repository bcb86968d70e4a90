import type { RequestEvent } from '@sveltejs/kit';
import { callerAs, type Member } from '#lib/server/access/identity/identity.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { whoNow, type WhoNow } from '#lib/server/rpc-proxy/http/whoNow.ts';

/** Returns the function that identifies the caller of a console page again, after the call has waited. */
export const callerNow = (event: RequestEvent, identity: Member): WhoNow =>
	whoNow(identity, async () => {
		const { locals, request, getClientAddress } = event;
		try {
			return callerAs(await locals.app.auth.identify(request.headers, getClientAddress()));
		} catch (error) {
			if (isAppError(error, 'account', 'assignment', 'factor')) return null;
			throw error;
		}
	});
