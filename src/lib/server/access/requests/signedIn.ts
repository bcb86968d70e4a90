import type { SessionCookie } from '../accounts/sessions/sessionCookie.ts';
import type { Auth } from './auth.ts';

/** Cookies of the response. */
interface CookieJar {
	set(name: string, value: string, attributes: SessionCookie['attributes']): void;
}

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
	for (const cookie of [
		auth.sessions.cookie(sessionId, secure),
		auth.devices.cookie(name, secure)
	]) {
		cookies.set(cookie.name, cookie.value, cookie.attributes);
	}
}
