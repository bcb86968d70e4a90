import { isAppError } from '../../platform/errors/appError.ts';
import { isOriginAllowed } from '../../platform/http/origin.ts';
import { checkRoute, whoMay } from '../policy/allow.ts';
import { VISITOR, type Identity } from '../policy/identity.ts';
import type { RouteAccess } from '../policy/routes.ts';
import type { Auth } from './auth.ts';
import type { HeaderReader } from './identify.ts';

/** Why a request goes no further. */
export type RefusalCode =
	| 'token-invalid'
	| 'foreign-origin'
	| 'sign-in-needed'
	| 'forbidden'
	| 'session-only'
	| 'confirmation-needed'
	| 'method-not-allowed'
	| 'not-found';

export interface Refusal {
	status: 401 | 403 | 404 | 405;
	code: RefusalCode;
	/** A sentence for a person. */
	message: string;
}

interface GuardedRequest {
	/** SvelteKit's route id; null when no route matches. */
	routeId: string | null;
	method: string;
	/** The form actions that the address names, without their slash. */
	actions: readonly string[];
	headers: HeaderReader;
}

export const REFUSALS = {
	'token-invalid': { status: 401, message: 'The token is unknown, expired or revoked.' },
	'foreign-origin': {
		status: 403,
		message: 'This request came from a page of another site, so nothing was done.'
	},
	'sign-in-needed': { status: 401, message: 'Log in first.' },
	forbidden: { status: 403, message: 'Your role does not allow this.' },
	'session-only': {
		status: 403,
		message: 'An API token cannot do this. Log in with a browser.'
	},
	'confirmation-needed': {
		status: 403,
		message: 'Type your password again first: nothing was done.'
	},
	'method-not-allowed': { status: 405, message: 'This address does not take that method.' },
	'not-found': { status: 404, message: 'There is nothing at this address.' }
} as const satisfies Record<RefusalCode, Omit<Refusal, 'code'>>;

function refusal(code: RefusalCode): Refusal {
	return { code, ...REFUSALS[code] };
}

/**
 * Says who a request acts for and whether it may go on: identity, then origin, then permission.
 * Everything that the table of routes does not list is refused.
 */
export async function guard(
	auth: Pick<Auth, 'identify' | 'sessions' | 'publicBrowsing' | 'origin'>,
	table: Readonly<Record<string, RouteAccess>>,
	request: GuardedRequest
): Promise<{ identity: Identity; refusal: Refusal | null }> {
	const { headers, method, routeId } = request;
	// Whoever it is, and from wherever it comes: it acts for nobody.
	if (routeId !== null && whoMay(table, routeId, method) === 'anonymous') {
		return { identity: VISITOR, refusal: null };
	}
	let identity: Identity;
	try {
		identity = await auth.identify(headers);
	} catch (error) {
		if (!isAppError(error, 'account', 'assignment')) throw error;
		return { identity: VISITOR, refusal: refusal('token-invalid') };
	}
	const ours = isOriginAllowed({
		method,
		hasToken: identity.via === 'token',
		hasSessionCookie: auth.sessions.read(headers) !== null,
		origin: headers.get('origin'),
		secFetchSite: headers.get('sec-fetch-site'),
		host: headers.get('host'),
		publicOrigin: auth.origin
	});
	if (!ours) return { identity, refusal: refusal('foreign-origin') };
	switch (checkRoute(table, routeId, method, request.actions, identity, auth.publicBrowsing)) {
		case 'allowed':
			return { identity, refusal: null };
		case 'sign-in':
			return { identity, refusal: refusal('sign-in-needed') };
		case 'forbidden':
			return { identity, refusal: refusal('forbidden') };
		case 'session-only':
			return { identity, refusal: refusal('session-only') };
		case 'confirm':
			return { identity, refusal: refusal('confirmation-needed') };
		case 'no-method':
			return { identity, refusal: refusal('method-not-allowed') };
		case 'unknown':
			return { identity, refusal: refusal('not-found') };
	}
}
