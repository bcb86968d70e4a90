import { isSecureHost } from '../../../platform/http/headers.ts';

export const SESSION_COOKIE = 'komodeck_session';
/** Its name under https: browsers keep such a cookie from other hosts of the same domain, both ways. */
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
 * The session id in a Cookie header. Anything that is not shaped like one of ours is no cookie: another
 * server on the same host name shares the jar and may have put any bytes there.
 */
function readSessionCookie(header: string | null, cookie: string): string | null {
	for (const pair of header?.split(';') ?? []) {
		const [name, value] = pair.trim().split('=', 2);
		if (name === cookie && value && /^[a-z0-9]{20,80}$/.test(value)) return value;
	}
	return null;
}

/**
 * The session id among the headers of a request, or null. At a public address under https only the
 * cookie counts that no other host could have set.
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
