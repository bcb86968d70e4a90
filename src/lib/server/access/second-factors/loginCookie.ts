/** Cookies of an incomplete login. They grant no access themselves. */
import {
	hostCookie,
	hostCookieValues,
	type Cookie,
	type HeaderReader
} from '../../platform/http/cookies.ts';
import { CHALLENGE_LIFETIME } from './challenges.ts';

export interface LoginCookie {
	read(headers: HeaderReader): string | null;
	cookie(id: string, secure: boolean): Cookie;
	/** A cookie that deletes the login cookie. */
	blank(secure: boolean): Cookie;
}

function createCookie(base: string, lifetime: number, publicOrigin: string | null): LoginCookie {
	return {
		read(headers) {
			const values = hostCookieValues(headers, base, publicOrigin);
			return values.find((value) => /^[\w-]{43}$/.test(value)) ?? null;
		},
		cookie: (id, secure) => hostCookie(base, id, secure, lifetime / 1000),
		blank: (secure) => hostCookie(base, '', secure, 0)
	};
}

/**
 * The cookie of a login between the first step and the second factor.
 * @param publicOrigin KOMODECK_ORIGIN, when set
 */
export const createLoginCookie = (publicOrigin: string | null): LoginCookie =>
	createCookie('komodeck_login', CHALLENGE_LIFETIME.login, publicOrigin);

/** The cookie of a browser that got the challenge of a login by passkey alone. */
export const createPasskeyCookie = (publicOrigin: string | null): LoginCookie =>
	createCookie('komodeck_passkey', CHALLENGE_LIFETIME['passkey-login'], publicOrigin);
