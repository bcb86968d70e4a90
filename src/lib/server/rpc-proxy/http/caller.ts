/** Who calls the RPC API: a member who shows a credential, from a place where calls may come from. */
import type { IncomingMessage } from 'node:http';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Refusals } from '../../access/audit/refusals.ts';
import type { Member } from '../../access/policy/identity.ts';
import type { Identity } from '../../access/policy/identity.ts';
import type { Identify } from '../../access/requests/identify.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { isOriginAllowed } from '../../platform/http/origin.ts';
import { networkOf } from '../../platform/net/networkOf.ts';
import { secondsToWait } from '../../platform/rate-limits/throttleRequests.ts';

export interface CallerParts {
	identify: Identify;
	/** Counts who got no further. */
	refusals: Pick<Refusals, 'anonymous'>;
	/** KOMODECK_ORIGIN. */
	publicOrigin: string | null;
}

type Caller =
	| { kind: 'member'; identity: Member }
	/** No good credential. */
	| { kind: 'unknown' }
	/** The same, too often. */
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

/** Builds the check of callers. */
export function createCallerCheck(parts: CallerParts, refusalsPerMinute = REFUSALS_PER_MINUTE) {
	const anonymousLimiter = new RateLimiterMemory({ points: refusalsPerMinute, duration: 60 });

	async function identified(request: IncomingMessage): Promise<Identity | null> {
		try {
			return await parts.identify({ get: (name) => headerOf(request, name) });
		} catch (error) {
			if (isAppError(error, 'account', 'assignment')) return null;
			throw error;
		}
	}

	return async function callerOf(request: IncomingMessage): Promise<Caller> {
		const identity = await identified(request);
		if (identity === null || identity.via === 'public') {
			parts.refusals.anonymous('call', identity === null ? 'credential' : 'sign-in');
			const address = networkOf(request.socket.remoteAddress ?? '');
			const seconds = await secondsToWait(anonymousLimiter, address, 1);
			return seconds === null ? { kind: 'unknown' } : { kind: 'limited', seconds };
		}
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
	};
}
