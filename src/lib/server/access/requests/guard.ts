import { PAGE_REFUSALS, type PageRefusalCode } from '#lib/messages/pageRefusals.ts';
import type { ErrorParams } from '#lib/messages/errors/index.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { isOriginAllowed } from '../../platform/http/origin.ts';
import { checkRoute, whoMay, type RouteRequest } from '../policy/allow.ts';
import { VISITOR, type Identity } from '../identity/identity.ts';
import type { RouteAccess, routes } from '../policy/routes.ts';
import type { Auth } from './auth.ts';
import type { HeaderReader } from '../../platform/http/cookies.ts';
import { showsBearer } from './identify.ts';

/** Facts of an API token that was used from an address where it is not allowed. */
type ElsewhereFacts = ErrorParams<'account.token-elsewhere'>;

/** Why a request is refused. */
export interface Refusal {
	status: 401 | 403 | 404 | 405;
	code: PageRefusalCode;
	/** Sentence for the caller. */
	message: string;
	/** The API token, where it came from an address where it is not allowed. */
	by?: ElsewhereFacts;
}

interface GuardedRequest extends RouteRequest {
	headers: HeaderReader;
	/** IP address that the request comes from. */
	address: string;
}

const STATUSES = {
	'token-invalid': 401,
	'token-elsewhere': 403,
	'foreign-origin': 403,
	'sign-in-needed': 401,
	forbidden: 403,
	'token-limited': 403,
	'session-only': 403,
	'factor-needed': 403,
	'factor-required': 403,
	'confirmation-needed': 403,
	'sure-needed': 403,
	'method-not-allowed': 405,
	'not-found': 404
} as const satisfies Record<PageRefusalCode, Refusal['status']>;

/**
 * The only routes open to a member who must set up a second factor first. The set-up may require a
 * confirmation, which some members can give only at the single sign-on provider.
 */
const OF_SET_UP: readonly (keyof typeof routes)[] = [
	'/account/factors',
	'/confirm',
	'/denied',
	'/login/provider',
	'/login/provider/callback',
	'/login/provider/continue',
	'/logout',
	'/theme'
];
const isOfSetUp = (routeId: string | null): boolean => OF_SET_UP.some((id) => id === routeId);

/** Returns a refusal with its HTTP status and its text. */
export function refusalOf(code: PageRefusalCode): Refusal {
	return { code, status: STATUSES[code], message: PAGE_REFUSALS[code] };
}

/**
 * Returns who a request acts for, and whether it is refused: checks identity, then origin, then permission. A
 * route or method missing in the table is refused.
 */
export async function guard(
	auth: Pick<Auth, 'identify' | 'sessions' | 'publicBrowsing' | 'origin'>,
	table: Readonly<Record<string, RouteAccess>>,
	request: GuardedRequest
): Promise<{ identity: Identity; refusal: Refusal | null }> {
	const { headers, method, routeId } = request;
	// Whatever credential and origin the request has, it acts as a visitor.
	if (routeId !== null && whoMay(table, routeId, method) === 'anonymous') {
		return { identity: VISITOR, refusal: null };
	}
	let identity: Identity;
	try {
		identity = await auth.identify(headers, request.address);
	} catch (error) {
		if (isAppError(error, 'account.token-elsewhere')) {
			return { identity: VISITOR, refusal: { ...refusalOf('token-elsewhere'), by: error.params } };
		}
		if (isAppError(error, 'factor')) {
			return { identity: VISITOR, refusal: refusalOf('factor-required') };
		}
		if (!isAppError(error, 'account', 'assignment')) throw error;
		return { identity: VISITOR, refusal: refusalOf('token-invalid') };
	}
	const ours = isOriginAllowed({
		method,
		hasToken: identity.via === 'token' && showsBearer(headers),
		hasSessionCookie: identity.via !== 'token' && auth.sessions.read(headers) !== null,
		origin: headers.get('origin'),
		secFetchSite: headers.get('sec-fetch-site'),
		host: headers.get('host'),
		publicOrigin: auth.origin
	});
	if (!ours) return { identity, refusal: refusalOf('foreign-origin') };
	if (identity.via === 'session' && identity.session.setUpOnly && !isOfSetUp(routeId)) {
		return { identity, refusal: refusalOf('factor-needed') };
	}
	switch (checkRoute(table, request, identity, auth.publicBrowsing)) {
		case 'allowed':
			return { identity, refusal: null };
		case 'sign-in':
			return { identity, refusal: refusalOf('sign-in-needed') };
		case 'forbidden':
			return { identity, refusal: refusalOf('forbidden') };
		case 'token-limited':
			return { identity, refusal: refusalOf('token-limited') };
		case 'session-only':
			return { identity, refusal: refusalOf('session-only') };
		case 'confirm':
			return { identity, refusal: refusalOf('confirmation-needed') };
		case 'no-method':
			return { identity, refusal: refusalOf('method-not-allowed') };
		case 'unknown':
			return { identity, refusal: refusalOf('not-found') };
	}
}
