/** Who calls the RPC API: a member who shows a credential, from a place where calls may come from. */
import type { IncomingMessage } from 'node:http';
import { usedElsewhere, type Refusals } from '../../access/audit/refusals.ts';
import { callerAs, type Identity, type Member } from '../../access/policy/identity.ts';
import type { HeaderReader, Identify } from '../../access/requests/identify.ts';
import type { Awaitable } from '../../platform/async/awaitable.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { isOriginAllowed } from '../../platform/http/origin.ts';
import type { CallerAddress } from '../../platform/net/callerAddress.ts';
import { networkOf } from '../../platform/net/networkOf.ts';
import type { OpenBudget } from '../../platform/rate-limits/budgets.ts';

type TokenMember = Extract<Member, { via: 'token' }>;

export interface CallerParts {
	identify: Identify;
	/** Counts who got no further, and puts on record which token came from where it may not. */
	refusals: Pick<Refusals, 'anonymous' | 'refused'>;
	/** KOMODECK_ORIGIN. */
	publicOrigin: string | null;
	/** From which address a request comes. */
	addressOf: CallerAddress;
	/** Where refusals are counted. */
	openBudget: OpenBudget;
}

/** What a request lacks: a good credential, or any. */
export type Uncredited = 'credential' | 'sign-in';

type Caller =
	| { kind: 'member'; identity: Member }
	/** With an API token that is not for use from there. */
	| { kind: 'elsewhere' }
	/** No good credential in the headers. */
	| { kind: 'unknown'; why: Uncredited }
	/** The same too often: nothing else is looked at. */
	| { kind: 'limited'; seconds: number }
	/** By a page of another site. */
	| { kind: 'foreign' };

/** Requests without a good credential from one address within a minute. */
const REFUSALS_PER_MINUTE = 600;

/** One header field as one text. */
export const headerOf = (request: IncomingMessage, name: string): string | null => {
	const value = request.headers[name];
	return Array.isArray(value) ? value.join(', ') : (value ?? null);
};

const headersOf = (request: IncomingMessage): HeaderReader => ({
	get: (name) => headerOf(request, name)
});

/** Builds the check of callers. */
export function createCallerCheck(parts: CallerParts, refusalsPerMinute = REFUSALS_PER_MINUTE) {
	const budget = parts.openBudget('refused calls of an address', refusalsPerMinute, 60);
	const networkBehind = (request: IncomingMessage): string => networkOf(parts.addressOf(request));

	/** Whom a credential that was refused leaves. @throws what is no refusal */
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

	/** Who lacks a good credential, and how often that was so from there. */
	async function unknown(
		request: IncomingMessage,
		kind: 'elsewhere' | Uncredited
	): Promise<Caller> {
		const seconds = await budget.wait(networkBehind(request));
		if (seconds !== null) return { kind: 'limited', seconds };
		return kind === 'elsewhere' ? { kind } : { kind: 'unknown', why: kind };
	}

	return {
		/** Who calls by the headers of a request. */
		async of(request: IncomingMessage): Promise<Caller> {
			const found = identified(headersOf(request), parts.addressOf(request));
			const who = found instanceof Promise ? await found : found;
			if (who === 'elsewhere') return unknown(request, 'elsewhere');
			if (who === null) return unknown(request, 'credential');
			const identity = callerAs(who);
			if (identity === null) return unknown(request, 'sign-in');
			const allowed = isOriginAllowed({
				method: 'POST',
				hasToken: identity.via === 'token',
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

		/** Whose API token a text in the body of a request is; null when it is nobody's. */
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

		/** Counts a request without a good credential. @returns the seconds to wait when there were too many, else null */
		refused(request: IncomingMessage, why: Uncredited): Promise<number | null> {
			parts.refusals.anonymous('call', why);
			return budget.take(networkBehind(request), 1);
		}
	};
}

export type CallerCheck = ReturnType<typeof createCallerCheck>;
