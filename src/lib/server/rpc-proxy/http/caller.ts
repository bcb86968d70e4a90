/** Identifies the caller of the RPC API by credential and origin. */
import type { IncomingMessage } from 'node:http';
import { usedElsewhere, type Refusals } from '../../access/audit/refusals.ts';
import { callerAs, type Identity, type Member } from '../../access/identity/identity.ts';
import type { HeaderReader } from '../../platform/http/cookies.ts';
import { showsBearer, type Identify } from '../../access/requests/identify.ts';
import type { Awaitable } from '../../platform/async/awaitable.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { isOriginAllowed } from '../../platform/http/origin.ts';
import type { CallerAddress } from '../../platform/net/callerAddress.ts';
import { networkOf } from '../../platform/net/networkOf.ts';
import type { OpenBudget } from '../../platform/rate-limits/budgets.ts';

type TokenMember = Extract<Member, { via: 'token' }>;

export interface CallerParts {
	identify: Identify;
	/** Counts anonymous refusals, and records use of a token from an address where it is not allowed. */
	refusals: Pick<Refusals, 'anonymous' | 'refused'>;
	/** KOMODECK_ORIGIN. */
	publicOrigin: string | null;
	/** Returns the client address of a request. */
	addressOf: CallerAddress;
	/** Opens the budget that counts refusals. */
	openBudget: OpenBudget;
}

/** What a refused request lacks: a valid credential, or any credential. */
export type Uncredited = 'credential' | 'sign-in';

type Caller =
	| { kind: 'member'; identity: Member }
	/** The API token is not valid for use from this address. */
	| { kind: 'elsewhere' }
	/** No valid credential in the headers; the body may have one. */
	| { kind: 'unknown'; why: Uncredited }
	/** Too many such requests: nothing else is examined. */
	| { kind: 'limited'; seconds: number }
	/** Sent by a page of another site. */
	| { kind: 'foreign' };

/** Limit of requests without a valid credential from one network within a minute. */
const REFUSALS_PER_MINUTE = 600;
/**
 * Limit of the bodies that are read beyond it, in KiB: calls of trading nodes have their credential there, and others of
 * the same network must not lock them out. It is a thousand usual calls a second, or 15 of the largest.
 */
const REFUSED_KIB_PER_MINUTE = 60_000;

/** Returns one header as a single text. */
export const headerOf = (request: IncomingMessage, name: string): string | null => {
	const value = request.headers[name];
	return Array.isArray(value) ? value.join(', ') : (value ?? null);
};

const headersOf = (request: IncomingMessage): HeaderReader => ({
	get: (name) => headerOf(request, name)
});

/** Creates the check of callers. */
export function createCallerCheck(parts: CallerParts) {
	const budget = parts.openBudget('refused calls of an address', REFUSALS_PER_MINUTE, 60);
	const bodies = parts.openBudget('refused bodies of an address', REFUSED_KIB_PER_MINUTE, 60);
	const networkBehind = (request: IncomingMessage): string => networkOf(parts.addressOf(request));

	/** Interprets a refused credential. @throws any other error */
	async function refusedFor(error: unknown): Promise<'elsewhere' | null> {
		if (isAppError(error, 'account.token-elsewhere')) {
			await parts.refusals.refused(error.params.account, usedElsewhere(error.params, 'call'));
			return 'elsewhere';
		}
		if (isAppError(error, 'account', 'assignment', 'factor')) return null;
		throw error;
	}

	function identified(
		headers: HeaderReader,
		address: string
	): Awaitable<Identity | 'elsewhere' | null> {
		try {
			const identity = parts.identify(headers, address);
			return identity instanceof Promise ? identity.catch(refusedFor) : identity;
		} catch (error) {
			return refusedFor(error);
		}
	}

	/** Returns the result for a caller whose token is for other addresses; `limited` after too many refusals. */
	async function elsewhere(request: IncomingMessage): Promise<Caller> {
		const seconds = await budget.wait(networkBehind(request));
		return seconds === null ? { kind: 'elsewhere' } : { kind: 'limited', seconds };
	}

	/**
	 * Returns the result for a caller without a valid credential in the headers; `limited` after so many from the same
	 * network that no body is read any more.
	 */
	async function unknown(request: IncomingMessage, why: Uncredited): Promise<Caller> {
		const network = networkBehind(request);
		if ((await budget.wait(network)) === null) return { kind: 'unknown', why };
		const seconds = await bodies.wait(network);
		return seconds === null ? { kind: 'unknown', why } : { kind: 'limited', seconds };
	}

	return {
		/** Identifies the caller by the headers of a request. */
		async of(request: IncomingMessage): Promise<Caller> {
			const headers = headersOf(request);
			const found = identified(headers, parts.addressOf(request));
			const who = found instanceof Promise ? await found : found;
			if (who === 'elsewhere') return elsewhere(request);
			if (who === null) return unknown(request, 'credential');
			const identity = callerAs(who);
			if (identity === null) return unknown(request, 'sign-in');
			const allowed = isOriginAllowed({
				method: 'POST',
				hasToken: identity.via === 'token' && showsBearer(headers),
				hasSessionCookie: identity.via === 'session',
				origin: headerOf(request, 'origin'),
				secFetchSite: headerOf(request, 'sec-fetch-site'),
				host: headerOf(request, 'host'),
				publicOrigin: parts.publicOrigin
			});
			if (allowed) return { kind: 'member', identity };
			parts.refusals.anonymous('call', 'origin');
			return { kind: 'foreign' };
		},

		/** Returns the owner of an API token that was sent in the body; null when the token is invalid. */
		async byToken(request: IncomingMessage, text: string): Promise<TokenMember | null> {
			if (!/^\S+$/.test(text)) return null;
			const shown: HeaderReader = {
				get: (name) => {
					if (name === 'user-agent') return headerOf(request, name);
					return name === 'authorization' ? `Bearer ${text}` : null;
				}
			};
			const identity = await identified(shown, parts.addressOf(request));
			return identity !== null && identity !== 'elsewhere' && identity.via === 'token'
				? identity
				: null;
		},

		/**
		 * Counts a request without a valid credential, of which so many bytes were read before that was known.
		 * @returns the seconds to wait when there were too many, else null
		 */
		async refused(
			request: IncomingMessage,
			why: Uncredited,
			bytes: number
		): Promise<number | null> {
			parts.refusals.anonymous('call', why);
			const network = networkBehind(request);
			const seconds = await budget.take(network, 1);
			if (seconds !== null) await bodies.take(network, Math.max(1, Math.ceil(bytes / 1024)));
			return seconds;
		}
	};
}

export type CallerCheck = ReturnType<typeof createCallerCheck>;
