/** The cookie by which a browser that returns from the provider proves that this server sent it there. */
import { isSecureHost } from '../../platform/http/headers.ts';
import type { SessionCookie } from '../accounts/sessions/sessionCookie.ts';
import { FLOW_LIFETIME } from './flows.ts';

const NAME = 'komodeck_sign_on';
const nameOf = (secure: boolean): string => `${secure ? '__Host-' : ''}${NAME}`;

/** `SameSite=Lax`, since the cookie must be sent when the provider's page redirects back. */
const cookieOf = (value: string, secure: boolean, maxAge: number): SessionCookie => ({
	name: nameOf(secure),
	value,
	attributes: { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge }
});

export const flowCookie = (value: string, secure: boolean): SessionCookie =>
	cookieOf(value, secure, FLOW_LIFETIME / 1000);

/** A cookie that deletes the flow cookie. */
export const blankFlowCookie = (secure: boolean): SessionCookie => cookieOf('', secure, 0);

/**
 * Returns the value of the flow cookie, or null. Under https only the `__Host-` cookie counts, which no other
 * host can set.
 */
export function readFlowCookie(
	headers: { get(name: string): string | null },
	publicOrigin: string | null
): string | null {
	const wanted = nameOf(isSecureHost(headers.get('host'), publicOrigin));
	for (const pair of headers.get('cookie')?.split(';') ?? []) {
		const [name, value] = pair.trim().split('=', 2);
		if (name === wanted && value) return value;
	}
	return null;
}
