import { isSecureHost } from './secureHost.ts';

/** A cookie to set. */
export interface Cookie {
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

/** Cookies of the response. */
export interface CookieJar {
	set(name: string, value: string, attributes: Cookie['attributes']): void;
}

/** The headers of a request: a `Headers`, or an object with the same `get`. */
export interface HeaderReader {
	get(name: string): string | null;
}

/**
 * Under https the name begins with `__Host-`: browsers neither send such a cookie to, nor accept it from, other
 * hosts of the domain.
 */
export const hostCookieName = (base: string, secure: boolean): string =>
	`${secure ? '__Host-' : ''}${base}`;

/**
 * A cookie for this host alone. `SameSite=Lax`, since browsers must send it when a link of another site, or the
 * page of a provider, leads here.
 * @param maxAge seconds; 0 deletes the cookie
 */
export const hostCookie = (
	base: string,
	value: string,
	secure: boolean,
	maxAge: number
): Cookie => ({
	name: hostCookieName(base, secure),
	value,
	attributes: { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge }
});

/**
 * Returns all values that a request has for a cookie. There can be several, in any format: other servers on the
 * same host name share its cookies, so callers skip the values that are not theirs.
 */
export function cookieValues(headers: HeaderReader, wanted: string): string[] {
	const values: string[] = [];
	for (const pair of headers.get('cookie')?.split(';') ?? []) {
		const [name, value] = pair.trim().split('=', 2);
		if (name === wanted && value) values.push(value);
	}
	return values;
}

/**
 * As {@link cookieValues}, for a cookie that {@link hostCookie} made. At the public https address only those count that
 * no other host can set.
 * @param publicOrigin KOMODECK_ORIGIN, when set
 */
export const hostCookieValues = (
	headers: HeaderReader,
	base: string,
	publicOrigin: string | null
): string[] =>
	cookieValues(headers, hostCookieName(base, isSecureHost(headers.get('host'), publicOrigin)));

export const setCookie = (cookies: CookieJar, { name, value, attributes }: Cookie): void =>
	cookies.set(name, value, attributes);
