import { redirect } from '@sveltejs/kit';
import { setSignedIn } from '#lib/server/access/requests/signedIn.ts';
import { blankFlowCookie, readFlowCookie } from '#lib/server/access/single-sign-on/cookie.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { setCookie } from '#lib/server/platform/http/cookies.ts';
import { refusalPath } from '../refusalPath.ts';
import { signOnOf } from '../sendToProvider.ts';
import type { RequestHandler } from './$types';

/** The URL to which the provider sends browsers back. */
export const GET: RequestHandler = async ({
	locals,
	url,
	request,
	cookies,
	getClientAddress,
	setHeaders
}) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const { auth } = locals.app;
	let to: string;
	try {
		const finished = await signOnOf(locals).finish({
			query: url.searchParams,
			cookie: readFlowCookie(request.headers, auth.origin),
			identity: locals.identity,
			address: getClientAddress(),
			userAgent: request.headers.get('user-agent'),
			previousSessionId: auth.sessions.read(request.headers),
			device: (name) => auth.devices.known(request.headers, name)
		});
		if (finished.kind === 'refused') {
			to = refusalPath(finished.purpose, finished.error.code, finished.next);
		} else {
			to = finished.next;
		}
		if (finished.kind === 'factor') {
			setCookie(cookies, auth.loginCookie.cookie(finished.loginId, locals.secure));
			to = `/login/factor?next=${encodeURIComponent(finished.next)}`;
		}
		if (finished.kind === 'signed-in') {
			const { account, sessionId } = finished;
			setSignedIn(cookies, auth, { name: account.name, sessionId, secure: locals.secure });
		}
		setCookie(cookies, blankFlowCookie(locals.secure));
	} catch (error) {
		if (!isAppError(error, 'sign-on')) throw error;
		to = refusalPath(null, error.code, '/');
	}
	redirect(303, to);
};
