/** The cookie by which a browser that returns from the provider proves that this server sent it there. */
import {
	hostCookie,
	hostCookieValues,
	type Cookie,
	type HeaderReader
} from '../../platform/http/cookies.ts';
import { FLOW_LIFETIME } from './flows.ts';

const NAME = 'komodeck_sign_on';

/** The cookie of a login that goes on at the provider. */
export const flowCookie = (value: string, secure: boolean): Cookie =>
	hostCookie(NAME, value, secure, FLOW_LIFETIME / 1000);

/** A cookie that deletes the flow cookie. */
export const blankFlowCookie = (secure: boolean): Cookie => hostCookie(NAME, '', secure, 0);

/**
 * Returns the value of the flow cookie, or null. Under https only the `__Host-` cookie counts, which no other
 * host can set.
 */
export function readFlowCookie(headers: HeaderReader, publicOrigin: string | null): string | null {
	return hostCookieValues(headers, NAME, publicOrigin)[0] ?? null;
}
