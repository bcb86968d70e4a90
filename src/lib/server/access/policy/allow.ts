import { changesNothing, type Stoppable } from '#lib/rpc/method.ts';
import { daemonMethods } from '#lib/rpc/daemon/index.ts';
import { kdfMethods } from '#lib/rpc/kdf/index.ts';
import { isConfirmed, lacksStepUp } from './confirmation.ts';
import { isLimited, type Identity } from './identity.ts';
import { mayAccess } from './permissions.ts';
import { confirmedActions, type RouteAccess, type StepUp, type Who } from './routes.ts';

/** What the permission check says about one request. */
type Verdict =
	| 'allowed'
	/** Nobody signed in, and somebody who is might be let in. */
	| 'sign-in'
	/** Signed in, without the right. */
	| 'forbidden'
	/** The role would do; the API token is limited, and so for the RPC API alone. */
	| 'token-limited'
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

/** The methods of a route, as an answer names them whose method is not among them (RFC 9110, 15.5.6). */
export function methodsOf(
	table: Readonly<Record<string, RouteAccess>>,
	routeId: string
): readonly string[] {
	const may = (method: string): boolean => whoMay(table, routeId, method) !== undefined;
	return ['GET', 'HEAD', 'POST'].filter(may);
}

/**
 * Looks a request up in the table of routes.
 *
 * @param table the table, usually `routes`
 * @param routeId SvelteKit's route id; null when no route matches the address
 * @param actions the form actions that the address names; SvelteKit runs the first, all are asked about
 * @param named the method of a daemon or trading node that the address names, where it names one
 */
export function checkRoute(
	table: Readonly<Record<string, RouteAccess>>,
	routeId: string | null,
	method: string,
	actions: readonly string[],
	named: string | undefined,
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

/** Whether a method that an address names can change something; what is unknown can. */
function isWrite(named: string | undefined): boolean {
	const of = (methods: Readonly<Record<string, Stoppable>>): Stoppable | undefined =>
		named !== undefined && Object.hasOwn(methods, named) ? methods[named] : undefined;
	const known = of(daemonMethods) ?? of(kdfMethods);
	return known === undefined || !changesNothing(known.access);
}

/** For who may do it by role: whether they have to show again that it is still them. */
function checkStepUp(step: StepUp, identity: Identity, named: string | undefined): Verdict {
	if (step === 'everybody') return checkConfirmed(identity, 'write');
	if (identity.via !== 'session') return 'allowed';
	if (step === 'writes-with-factor' && !isWrite(named)) return 'allowed';
	return lacksStepUp(identity.session, Date.now()) ? 'confirm' : 'allowed';
}

/** For who may do it by role: only a session does, and only one that was confirmed lately. */
function checkConfirmed(identity: Identity, act: 'read' | 'write'): Verdict {
	if (identity.via === 'token') return 'session-only';
	if (identity.via === 'public') return 'sign-in';
	return isConfirmed(identity.session, act, Date.now()) ? 'allowed' : 'confirm';
}

/** The same for a kind of caller that is known already. */
export function checkWho(
	who: Who,
	identity: Identity,
	publicBrowsing: boolean,
	act: 'read' | 'write' = 'read'
): Verdict {
	if (who === 'anyone' || who === 'anonymous') return 'allowed';
	if (who === 'person') {
		if (identity.via === 'session') return 'allowed';
		return identity.via === 'public' ? 'sign-in' : 'session-only';
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
