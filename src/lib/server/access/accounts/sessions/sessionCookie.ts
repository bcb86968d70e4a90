import {
	cookieValues,
	hostCookie,
	hostCookieName,
	type Cookie
} from '../../../platform/http/cookies.ts';
import { isSecureHost } from '../../../platform/http/headers.ts';

export const SESSION_COOKIE = 'komodeck_session';

/**
 * Returns the session id from the headers of a request, or null. At a public https address only the `__Host-`
 * cookie counts, which no other host can set.
 */
export function readSessionId(
	headers: { get(name: string): string | null },
	publicOrigin: string | null
): string | null {
	const secure = isSecureHost(headers.get('host'), publicOrigin);
	const values = cookieValues(headers, hostCookieName(SESSION_COOKIE, secure));
	return values.find((value) => /^[a-z0-9]{20,80}$/.test(value)) ?? null;
}

/** @param maxAge seconds */
export const sessionCookie = (value: string, secure: boolean, maxAge: number): Cookie =>
	hostCookie(SESSION_COOKIE, value, secure, maxAge);
