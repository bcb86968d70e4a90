import type { RequestEvent } from '@sveltejs/kit';
import type { routes } from '#lib/server/access/policy/routes.ts';
import { bodyLimitsOf } from '#lib/server/access/requests/bodyLimits.ts';
import { SMALL_BODY } from '#lib/server/platform/http/bodyLimits.ts';
import { COST } from '#lib/server/platform/rate-limits/throttleRequests.ts';
import { addressOf } from './context.ts';

/** Decodes a path like the router; an undecodable path matches no route. */
function routedPath({ pathname }: URL): string {
	try {
		return decodeURI(pathname);
	} catch {
		return pathname;
	}
}

/** Tells whether a file is requested, in any encoding: the router reads `tokens%2Ecsv` as `tokens.csv`. */
export const isFile = ({ url, params }: RequestEvent): boolean =>
	[routedPath(url), ...Object.values(params)].some((part) => /\.(?:csv|json)$/.test(part ?? ''));

/** Routes that begin a login: the server keeps state for each, for callers without an account. */
const LOGINS: ReadonlySet<string | null> = new Set<keyof typeof routes>([
	'/login',
	'/login/passkey',
	'/login/provider'
]);

/** Tells whether a request begins a login; loading the login page does not. */
const isLogin = ({ route, request }: RequestEvent): boolean =>
	LOGINS.has(route.id) && (request.method === 'POST' || route.id === '/login/provider');

/** Parameters with which the forms of a page have it ask daemons; the page itself may be linked with others. */
const MOM_FORMS = ['height', 'depth', 'at', 'txid'];
const MOMOM_FORMS = ['kmdheight', 'of'];

/** Tells whether a request asks several daemons, or one of them many times; loading an empty form does not. */
function callsDaemons({ route, request, url: { searchParams } }: RequestEvent): boolean {
	const sends = (names: readonly string[]): boolean => names.some((name) => searchParams.has(name));
	switch (route.id) {
		case '/search':
			return (searchParams.get('q') ?? '') !== '';
		case '/chains/[chain]/mom':
			return sends(MOM_FORMS);
		case '/chains/[chain]/momom':
			return sends(MOMOM_FORMS);
		case '/chains/[chain]/proof':
			return request.method === 'POST';
		default:
			return route.id === '/chains/[chain]/proof/[txid]';
	}
}

/** Additional cost of a body: 1 for each 64 KiB of its declared or maximum length. */
function bodyCost({ request, route, locals }: RequestEvent): number {
	const { bytes } = bodyLimitsOf(route.id, locals.account !== null);
	const length = Number(request.headers.get('content-length') ?? bytes);
	return Math.floor(Math.min(length, bytes) / SMALL_BODY.bytes);
}

/** Cost of a request for its caller's budgets. */
function costOf(event: RequestEvent): number {
	const { method } = event.request;
	if (isLogin(event)) return COST.login;
	const asking = callsDaemons(event) ? COST.daemons : 0;
	if (method !== 'GET' && method !== 'HEAD') return asking + COST.change + bodyCost(event);
	if (asking > 0) return asking;
	return isFile(event) && !event.isDataRequest ? COST.export : COST.read;
}

/** Charges the caller's budgets; returns the seconds to wait when they are exhausted, otherwise null. */
export function secondsOverBudget(event: RequestEvent): Promise<number | null> {
	const { locals } = event;
	return locals.app.requestBudget.take(
		{ account: locals.identity.account?.id ?? null, address: addressOf(event) },
		costOf(event)
	);
}
