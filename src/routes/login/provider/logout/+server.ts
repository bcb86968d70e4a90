import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { readForm, text } from '#lib/server/platform/http/readForm.ts';
import { signOnOf } from '../sendToProvider.ts';
import type { RequestHandler } from './$types';

const HEADERS = { 'cache-control': 'no-store' };

/**
 * Receives the provider's notification that a member logged out there (OpenID Connect Back-Channel Logout
 * 1.0, section 2.5).
 */
export const POST: RequestHandler = async ({ locals, request }) => {
	try {
		const { logout_token: token } = await readForm(request, { logout_token: text });
		await signOnOf(locals).logOutByProvider(token);
		return new Response(null, { status: 200, headers: HEADERS });
	} catch (cause) {
		if (!isAppError(cause, 'sign-on')) throw cause;
		// A token that cannot be verified now may be sent again; an invalid one stays invalid.
		const isLater = cause.code === 'sign-on.unavailable';
		const said = { error: 'invalid_request', error_description: cause.message };
		return Response.json(said, { status: isLater ? 503 : 400, headers: HEADERS });
	}
};
