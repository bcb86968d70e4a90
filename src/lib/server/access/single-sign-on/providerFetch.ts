/**
 * The `fetch` of openid-client: requests use the egress rules, within limits, and only to the origins of the
 * issuer and of the endpoints that its discovery names.
 */
import type { CustomFetch } from 'openid-client';
import type { Egress } from '../../kdf/egress/egress.ts';
import { readUrl } from '../../kdf/egress/target.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { ListedPrivate } from '../../platform/net/ranges.ts';

/** Timeout of one request to the provider, in milliseconds. */
const TIMEOUT_MS = 10_000;
/** Most bytes of a response; discovery, keys and tokens need less. */
const MOST_BYTES = 256 * 1024;

/** Status codes of responses without a body (Fetch Standard, "null body status"). */
const WITHOUT_BODY = new Set([101, 103, 204, 205, 304]);

/**
 * Returns the issuer as an entry of the list of private servers: an issuer in the private network is
 * configured on purpose. That does not extend to other servers which its discovery names.
 */
export function issuerAsListed(issuer: string): ListedPrivate {
	const { target } = readUrl(issuer, ['https', 'http']);
	return { kind: 'name', name: target.host, port: target.port };
}

/** @param isAllowed whether an origin is the issuer's, or one that its discovery named */
export function createProviderFetch(
	egress: Egress,
	isAllowed: (origin: string) => boolean
): CustomFetch {
	return async (address, { method, headers, body }) => {
		const { origin, host } = new URL(address);
		if (!isAllowed(origin)) throw new AppError('egress.forbidden', { server: host });
		// The only bodies sent are forms; GET requests have none.
		const sent = body instanceof URLSearchParams ? body.toString() : undefined;
		const answer = await egress.http(address, {
			method: method === 'POST' ? 'POST' : 'GET',
			headers,
			...(sent === undefined ? {} : { body: sent }),
			timeoutMs: TIMEOUT_MS,
			maxBytes: MOST_BYTES
		});
		return new Response(WITHOUT_BODY.has(answer.status) ? null : new Uint8Array(answer.body), {
			status: answer.status,
			headers: answer.contentType === null ? {} : { 'content-type': answer.contentType }
		});
	};
}
