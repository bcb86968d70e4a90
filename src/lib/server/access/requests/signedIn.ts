import type { SessionCookie } from '../accounts/sessions/sessionCookie.ts';
import type { Auth } from './auth.ts';

/** The cookies of an answer. */
interface CookieJar {
	set(name: string, value: string, attributes: SessionCookie['attributes']): void;
}

/** Gives a browser the cookie of its new session, and one by which it is known at the next sign-in. */
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
