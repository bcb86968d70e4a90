/** The cookie of a login between the password and the second factor; it signs nobody in. */
import { isSecureHost } from '../../platform/http/headers.ts';
import type { SessionCookie } from '../accounts/session.ts';
import type { HeaderReader } from '../requests/identify.ts';
import { CHALLENGE_LIFETIME } from './challenges.ts';

const LOGIN_COOKIE = 'komodeck_login';

export interface LoginCookie {
	read(headers: HeaderReader): string | null;
	cookie(id: string, secure: boolean): SessionCookie;
	/** Takes the cookie away. */
	blank(secure: boolean): SessionCookie;
}

/** @param publicOrigin KOMODECK_ORIGIN, when set */
export function createLoginCookie(publicOrigin: string | null): LoginCookie {
	const nameOf = (secure: boolean): string => `${secure ? '__Host-' : ''}${LOGIN_COOKIE}`;
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
		cookie: (id, secure) => cookie(id, secure, CHALLENGE_LIFETIME.login / 1000),
		blank: (secure) => cookie('', secure, 0)
	};
}
