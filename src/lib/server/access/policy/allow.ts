import { changesNothing, type Stoppable } from '#lib/rpc/method.ts';
import { daemonMethods } from '#lib/rpc/daemon/index.ts';
import { kdfMethods } from '#lib/rpc/kdf/index.ts';
import { isConfirmed, lacksStepUp } from './confirmation.ts';
import { isLimited, type Identity } from '../identity/identity.ts';
import { mayAccess } from './permissions.ts';
import { confirmedActions, type RouteAccess, type StepUp, type Who } from './routes.ts';

/** Outcome of the permission check of one request. */
type Verdict =
	| 'allowed'
	/** The request shows no credential, and a signed-in member might be allowed. */
	| 'sign-in'
	/** The caller is signed in but lacks the right. */
	| 'forbidden'
	/**
	 * The role would suffice, but the API token is limited, and limited tokens work for the RPC API alone.
	 */
	| 'token-limited'
	/** The same role would be allowed with a session; the request came with an API token. */
	| 'session-only'
	/** Allowed once the member confirms again, by password or second factor. */
	| 'confirm'
	/** The route does not take this method. */
	| 'no-method'
	/** The routes table has no such route. */
	| 'unknown';

/** Returns who may use a route with a method; undefined when the table has no such route or method. */
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

/** Returns the methods that a route takes, for the `Allow` header of a 405 response (RFC 9110, 15.5.6). */
export function methodsOf(
	table: Readonly<Record<string, RouteAccess>>,
	routeId: string
): readonly string[] {
	const may = (method: string): boolean => whoMay(table, routeId, method) !== undefined;
	return ['GET', 'HEAD', 'POST'].filter(may);
}

/** What a request asks for. */
export interface RouteRequest {
	/** SvelteKit's route id; null when no route matches the address. */
	routeId: string | null;
	method: string;
	/**
	 * The form actions that the address names, without their slash. SvelteKit runs the first, but all are
	 * checked.
	 */
	actions: readonly string[];
	/** The daemon or trading node method that the address names, if any. */
	named: string | undefined;
}

/**
 * Checks a request against the table of routes.
 * @param table the table, usually `routes`
 */
export function checkRoute(
	table: Readonly<Record<string, RouteAccess>>,
	{ routeId, method, actions, named }: RouteRequest,
	identity: Identity,
	publicBrowsing: boolean
): Verdict {
	if (routeId === null || !Object.hasOwn(table, routeId)) return 'unknown';
	const who = whoMay(table, routeId, method);
	if (who === undefined) return 'no-method';
	const act = method === 'POST' ? 'write' : 'read';
	const verdict = checkWho(who, identity, publicBrowsing, act);
	if (verdict !== 'allowed' || act === 'read') return verdict;
	const steps = Object.hasOwn(confirmedActions, routeId) ? (confirmedActions[routeId] ?? {}) : {};
	for (const action of actions.length === 0 ? ['default'] : actions) {
		const step = Object.hasOwn(steps, action) ? steps[action] : undefined;
		const stepped = step === undefined ? 'allowed' : checkStepUp(step, identity, named);
		if (stepped !== 'allowed') return stepped;
	}
	return 'allowed';
}

/**
 * Whether the method that an address names can change something. An unknown method counts as one that can.
 */
function isWrite(named: string | undefined): boolean {
	const of = (methods: Readonly<Record<string, Stoppable>>): Stoppable | undefined =>
		named !== undefined && Object.hasOwn(methods, named) ? methods[named] : undefined;
	const known = of(daemonMethods) ?? of(kdfMethods);
	return known === undefined || !changesNothing(known.access);
}

/** For callers whose role suffices: whether they must confirm their identity again (step-up). */
function checkStepUp(step: StepUp, identity: Identity, named: string | undefined): Verdict {
	if (step === 'everybody') return checkConfirmed(identity, 'write');
	if (identity.via !== 'session')
		return step === 'session-with-factor' ? 'session-only' : 'allowed';
	if (step === 'writes-with-factor' && !isWrite(named)) return 'allowed';
	return lacksStepUp(identity.session, Date.now()) ? 'confirm' : 'allowed';
}

/** For callers whose role suffices: allows only a session, and only one that was confirmed recently. */
function checkConfirmed(identity: Identity, act: 'read' | 'write'): Verdict {
	if (identity.via === 'token') return 'session-only';
	if (identity.via === 'public') return 'sign-in';
	return isConfirmed(identity.session, act, Date.now()) ? 'allowed' : 'confirm';
}

/** Checks a kind of caller without looking at the routes table. */
export function checkWho(
	who: Who,
	identity: Identity,
	publicBrowsing: boolean,
	act: 'read' | 'write' = 'read'
): Verdict {
	if (who === 'anyone' || who === 'anonymous') return 'allowed';
	if (who === 'own-session') {
		if (identity.via === 'session') return 'allowed';
		return identity.via === 'public' ? 'sign-in' : 'session-only';
	}
	if (who === 'label') {
		const verdict = checkWho('build', identity, publicBrowsing, act);
		return identity.via === 'token' && verdict !== 'forbidden' ? 'session-only' : verdict;
	}
	if (who === 'administer') {
		if (!mayAccess(identity.role, 'admin', publicBrowsing)) {
			return identity.via === 'public' ? 'sign-in' : 'forbidden';
		}
		return checkConfirmed(identity, act);
	}
	if (who === 'member') {
		if (identity.via === 'public') return 'sign-in';
	} else if (!mayAccess(identity.role, who, publicBrowsing)) {
		return identity.via === 'public' ? 'sign-in' : 'forbidden';
	}
	return identity.via === 'token' && isLimited(identity.token) ? 'token-limited' : 'allowed';
}
