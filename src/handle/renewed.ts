import type { RequestEvent } from '@sveltejs/kit';

/** A cookie with its Set-Cookie header. */
interface Cookie {
	name: string;
	header: string;
}

/** Returns the cookie of a session that this request extended, so that it is extended in the browser too. */
export function renewedCookie({ locals, request, cookies }: RequestEvent): Cookie | null {
	const { app, identity, secure } = locals;
	if (identity.via !== 'session' || !identity.session.fresh) return null;
	const { sessions } = app.auth;
	const id = sessions.read(request.headers);
	if (id === null) return null;
	const { name, value, attributes } = sessions.cookie(id, secure);
	return { name, header: cookies.serialize(name, value, attributes) };
}

/**
 * Adds the cookie to a response that does not set it itself. This must be the response sent, not one stored
 * for an idempotency key: a response with cookies would not be stored, and a repeated form would be executed
 * again.
 */
export function withCookie(response: Response, cookie: Cookie | null): Response {
	if (cookie === null) return response;
	const { name, header } = cookie;
	const isSet = response.headers.getSetCookie().some((one) => one.startsWith(`${name}=`));
	if (!isSet) response.headers.append('set-cookie', header);
	return response;
}
