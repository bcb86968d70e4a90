/** Cookies of an incomplete login. They grant no access themselves. */
import { isSecureHost } from '../../platform/http/headers.ts';
import type { SessionCookie } from '../accounts/sessions/sessionCookie.ts';
import type { HeaderReader } from '../requests/identify.ts';
import { CHALLENGE_LIFETIME } from './challenges.ts';

export interface LoginCookie {
	read(headers: HeaderReader): string | null;
	cookie(id: string, secure: boolean): SessionCookie;
	/** A cookie that deletes the login cookie. */
	blank(secure: boolean): SessionCookie;
}

function createCookie(base: string, lifetime: number, publicOrigin: string | null): LoginCookie {
	const nameOf = (secure: boolean): string => `${secure ? '__Host-' : ''}${base}`;
	const cookie = (value: string, secure: boolean, maxAge: number): SessionCookie => ({
		name: nameOf(secure),
		value,
		attributes: { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge }
	});
	return {
		read(headers) {
			const name = nameOf(isSecureHost(headers.get('host'), publicOrigin));
			for (const pair of headers.get('cookie')?.split(';') ?? []) {
				const [given, value = ''] = pair.trim().split('=', 2);
				if (given === name && /^[\w-]{43}$/.test(value)) return value;
			}
			return null;
		},
		cookie: (id, secure) => cookie(id, secure, lifetime / 1000),
		blank: (secure) => cookie('', secure, 0)
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
