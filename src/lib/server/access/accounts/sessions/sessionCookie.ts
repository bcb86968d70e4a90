import { isSecureHost } from '../../../platform/http/headers.ts';

export const SESSION_COOKIE = 'komodeck_session';
/**
 * Cookie name under https: browsers neither send such a cookie to, nor accept it from, other hosts of the
 * domain.
 */
export const HOST_COOKIE = `__Host-${SESSION_COOKIE}`;

/** A cookie to set. */
export interface SessionCookie {
	name: string;
	value: string;
	attributes: {
		path: '/';
		httpOnly: boolean;
		sameSite: 'lax';
		secure: boolean;
		/** Seconds. */
		maxAge: number;
	};
}

/**
 * Returns the session id from a Cookie header. A value in another format is ignored: another server on the
 * same host name shares the cookies and may have set anything.
 */
function readSessionCookie(header: string | null, cookie: string): string | null {
	for (const pair of header?.split(';') ?? []) {
		const [name, value] = pair.trim().split('=', 2);
		if (name === cookie && value && /^[a-z0-9]{20,80}$/.test(value)) return value;
	}
	return null;
}

/**
 * Returns the session id from the headers of a request, or null. At a public https address only the `__Host-`
 * cookie counts, which no other host can set.
 */
export function readSessionId(
	headers: { get(name: string): string | null },
	publicOrigin: string | null
): string | null {
	const secure = isSecureHost(headers.get('host'), publicOrigin);
	return readSessionCookie(headers.get('cookie'), secure ? HOST_COOKIE : SESSION_COOKIE);
}

/** @param maxAge seconds */
export const sessionCookie = (value: string, secure: boolean, maxAge: number): SessionCookie => ({
	name: secure ? HOST_COOKIE : SESSION_COOKIE,
	value,
	attributes: { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge }
});
