import type { Identity } from './identity.ts';
import { mayAccess } from './permissions.ts';
import type { RouteAccess, Who } from './routes.ts';

/** What the permission check says about one request. */
export type Verdict =
	| 'allowed'
	/** Nobody signed in, and somebody who is might be let in. */
	| 'sign-in'
	/** Signed in, without the right. */
	| 'forbidden'
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
 */
export function checkRoute(
	table: Readonly<Record<string, RouteAccess>>,
	routeId: string | null,
	method: string,
	identity: Identity,
	publicBrowsing: boolean
): Verdict {
	if (routeId === null || !Object.hasOwn(table, routeId)) return 'unknown';
	const who = whoMay(table, routeId, method);
	if (who === undefined) return 'no-method';
	return checkWho(who, identity, publicBrowsing);
}

function checkWho(who: Who, identity: Identity, publicBrowsing: boolean): Verdict {
	if (who === 'anyone' || who === 'stranger') return 'allowed';
	if (who === 'door') return identity.via === 'public' ? 'sign-in' : 'allowed';
	if (who === 'person') {
		if (identity.via === 'session') return 'allowed';
		return identity.via === 'public' ? 'sign-in' : 'forbidden';
	}
	if (!mayAccess(identity.role, who, publicBrowsing)) {
		return identity.via === 'public' ? 'sign-in' : 'forbidden';
	}
	// A token that is limited to some methods or daemons is for the door, where the limits are read.
	if (
		identity.via === 'token' &&
		(identity.token.methods !== null || identity.token.daemons !== null)
	) {
		return 'forbidden';
	}
	return 'allowed';
}
