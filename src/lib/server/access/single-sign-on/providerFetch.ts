/**
 * The way from openid-client to the provider: over the one way out to servers that people name, within bounds, and only
 * to the issuer and what its discovery names.
 */
import type { CustomFetch } from 'openid-client';
import type { Egress } from '../../kdf/egress/egress.ts';
import { readUrl } from '../../kdf/egress/target.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { ListedPrivate } from '../../platform/net/ranges.ts';

/** One exchange with the provider, in milliseconds. */
const TIMEOUT_MS = 10_000;
/** More than discovery, keys and tokens take. */
const MOST_BYTES = 256 * 1024;

/** Answers without a body (Fetch Standard, "null body status"). */
const WITHOUT_BODY = new Set([101, 103, 204, 205, 304]);

/**
 * The issuer as an entry of the list of private servers: whoever configures one in their own network means it. What its
 * discovery names elsewhere is no such thing.
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
		// Only forms are sent, and nothing with the requests that read.
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
