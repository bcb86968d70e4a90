import { redirect } from '@sveltejs/kit';
import { setCookie } from '#lib/server/platform/http/cookies.ts';
import type { RequestHandler } from './$types';

/** Ends the session on the server as well, so that a copy of the cookie is worthless. */
export const POST: RequestHandler = async ({ locals, request, cookies, setHeaders }) => {
	const { auth } = locals.app;
	const { identity } = locals;
	if (identity.via === 'session') {
		await auth.sessions.signOut(identity.account, identity.session.idHash);
	} else {
		const id = auth.sessions.read(request.headers);
		if (id !== null) await auth.sessions.end(id);
	}
	setCookie(cookies, auth.sessions.blankCookie(locals.secure));
	// Not "cookies": that would also delete cookies of other applications on the same domain (W3C Clear
	// Site Data, 3.1), and this browser's preferences. The session cookie was just deleted by name.
	setHeaders({ 'clear-site-data': '"cache", "storage"' });
	const byProvider = identity.via === 'session' && Boolean(identity.session.issuer);
	redirect(303, byProvider ? '/login?out=1' : '/login');
};
