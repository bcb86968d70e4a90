import { isConfirmed } from './confirmation.ts';
import { isLimited, type Identity } from './identity.ts';
import { mayAccess } from './permissions.ts';
import { confirmedActions, type RouteAccess, type Who } from './routes.ts';

/** What the permission check says about one request. */
type Verdict =
	| 'allowed'
	/** Nobody signed in, and somebody who is might be let in. */
	| 'sign-in'
	/** Signed in, without the right. */
	| 'forbidden'
	/** Would be allowed by a session; a token came. */
	| 'session-only'
	/** Allowed as soon as the password is typed once more. */
	| 'confirm'
	/** The route has no such method. */
	| 'no-method'
	/** There is no such route in the table. */
	| 'unknown';

/** The entry of a route for a method; undefined when there is none. */
export function whoMay(
	table: Readonly<Record<string, RouteAccess>>,
	routeId: string,
	method: string
): Who | undefined {
	if (!Object.hasOwn(table, routeId)) return undefined;
	const entry = table[routeId] as RouteAccess;
	if (method === 'GET' || method === 'HEAD') return entry.GET;
	return method === 'POST' ? entry.POST : undefined;
}

/**
 * Looks a request up in the table of routes.
 *
 * @param table the table, usually `routes`
 * @param routeId SvelteKit's route id; null when no route matches the address
 * @param actions the form actions that the address names; SvelteKit runs the first, all are asked about
 */
export function checkRoute(
	table: Readonly<Record<string, RouteAccess>>,
	routeId: string | null,
	method: string,
	actions: readonly string[],
	identity: Identity,
	publicBrowsing: boolean
): Verdict {
	if (routeId === null || !Object.hasOwn(table, routeId)) return 'unknown';
	const who = whoMay(table, routeId, method);
	if (who === undefined) return 'no-method';
	const verdict = checkWho(who, identity, publicBrowsing);
	const confirmed = Object.hasOwn(confirmedActions, routeId) ? confirmedActions[routeId] : [];
	if (
		verdict !== 'allowed' ||
		method !== 'POST' ||
		!actions.some((name) => confirmed?.includes(name))
	) {
		return verdict;
	}
	return checkConfirmed(identity);
}

/** For who may do it by role: only a session does, and only one that was confirmed lately. */
function checkConfirmed(identity: Identity): Verdict {
	if (identity.via === 'token') return 'session-only';
	if (identity.via === 'public') return 'sign-in';
	return isConfirmed(identity.session, Date.now()) ? 'allowed' : 'confirm';
}

/** The same for a kind of caller that is known already. */
export function checkWho(who: Who, identity: Identity, publicBrowsing: boolean): Verdict {
	if (who === 'anyone' || who === 'anonymous') return 'allowed';
	if (who === 'person') {
		if (identity.via === 'session') return 'allowed';
		return identity.via === 'public' ? 'sign-in' : 'session-only';
	}
	if (who === 'administer') {
		if (!mayAccess(identity.role, 'admin', publicBrowsing)) {
			return identity.via === 'public' ? 'sign-in' : 'forbidden';
		}
		return checkConfirmed(identity);
	}
	if (who === 'member') {
		if (identity.via === 'public') return 'sign-in';
	} else if (!mayAccess(identity.role, who, publicBrowsing)) {
		return identity.via === 'public' ? 'sign-in' : 'forbidden';
	}
	return identity.via === 'token' && isLimited(identity.token) ? 'forbidden' : 'allowed';
}
