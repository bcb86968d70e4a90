/** The cookie by which a browser that comes back from the provider shows that it was sent there. */
import { isSecureHost } from '../../platform/http/headers.ts';
import type { SessionCookie } from '../accounts/sessions/sessionCookie.ts';
import { FLOW_LIFETIME } from './flows.ts';

const NAME = 'komodeck_sign_on';
const nameOf = (secure: boolean): string => `${secure ? '__Host-' : ''}${NAME}`;

/** Lax: it has to come along when the provider's page sends the browser back. */
const cookieOf = (value: string, secure: boolean, maxAge: number): SessionCookie => ({
	name: nameOf(secure),
	value,
	attributes: { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge }
});

export const flowCookie = (value: string, secure: boolean): SessionCookie =>
	cookieOf(value, secure, FLOW_LIFETIME / 1000);

/** Takes the cookie away. */
export const blankFlowCookie = (secure: boolean): SessionCookie => cookieOf('', secure, 0);

/** What the cookie of a request holds, or null. Under https only that counts which no other host could have set. */
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
