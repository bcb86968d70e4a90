import {
	hostCookie,
	hostCookieValues,
	type Cookie,
	type HeaderReader
} from '../../../platform/http/cookies.ts';

export const SESSION_COOKIE = 'komodeck_session';

/**
 * Returns the session id from the headers of a request, or null. At a public https address only the `__Host-`
 * cookie counts, which no other host can set.
 */
export function readSessionId(headers: HeaderReader, publicOrigin: string | null): string | null {
	const values = hostCookieValues(headers, SESSION_COOKIE, publicOrigin);
	return values.find((value) => /^[a-z0-9]{20,80}$/.test(value)) ?? null;
}

/** @param maxAge seconds */
export const sessionCookie = (value: string, secure: boolean, maxAge: number): Cookie =>
	hostCookie(SESSION_COOKIE, value, secure, maxAge);
