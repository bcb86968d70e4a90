import { setCookie, type CookieJar } from '../../platform/http/cookies.ts';
import type { Auth } from './auth.ts';

/**
 * Sets the cookie of a new session, and the one that identifies the browser as a known device at the next
 * sign-in.
 */
export function setSignedIn(
	cookies: CookieJar,
	auth: Pick<Auth, 'sessions' | 'devices'>,
	signedIn: { name: string; sessionId: string; secure: boolean }
): void {
	const { name, sessionId, secure } = signedIn;
	setCookie(cookies, auth.sessions.cookie(sessionId, secure));
	setCookie(cookies, auth.devices.cookie(name, secure));
}
