import type { RequestEvent } from '@sveltejs/kit';

/** A cookie as a header says it. */
interface Cookie {
	name: string;
	header: string;
}

/** The cookie of a session whose use was noted by this request: it lives on in the browser, too. */
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
 * Adds it to an answer that does not set the same cookie itself. Only to the answer that leaves: with it among what a
 * form was answered, that would not be kept, and the form that is sent again would be carried out again.
 */
export function withCookie(response: Response, cookie: Cookie | null): Response {
	if (cookie === null) return response;
	const { name, header } = cookie;
	const isSet = response.headers.getSetCookie().some((one) => one.startsWith(`${name}=`));
	if (!isSet) response.headers.append('set-cookie', header);
	return response;
}
