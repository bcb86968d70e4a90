import { redirect } from '@sveltejs/kit';
import { stands } from '#lib/server/guards/stands.ts';
import type { RequestHandler } from './$types';

/** Ends the session on the server as well: a copy of the cookie is worth nothing afterwards. */
export const POST: RequestHandler = async ({ locals, request, cookies }) => {
	const { auth } = locals.app;
	const id = auth.sessions.read(request.headers);
	if (id !== null && stands('logout-ends-session')) await auth.sessions.end(id);
	if (locals.account) await auth.audit.append({ actor: locals.account.name, action: 'sign-out' });
	const { name, value, attributes } = auth.sessions.blankCookie(locals.secure);
	cookies.set(name, value, attributes);
	redirect(303, '/login');
};
