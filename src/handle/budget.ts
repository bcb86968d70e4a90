import type { RequestEvent } from '@sveltejs/kit';
import type { routes } from '#lib/server/access/policy/routes.ts';
import { bodyLimitsOf } from '#lib/server/access/requests/bodyLimits.ts';
import { SMALL_BODY } from '#lib/server/platform/http/bodyLimits.ts';
import { COST } from '#lib/server/platform/rate-limits/throttleRequests.ts';
import { addressOf } from './context.ts';

/** A path as the router reads it; where it cannot be decoded there is no route. */
function routedPath({ pathname }: URL): string {
	try {
		return decodeURI(pathname);
	} catch {
		return pathname;
	}
}

/** Whether a file is asked for, in whatever spelling: the router reads `tokens%2Ecsv` as `tokens.csv`. */
const isFile = ({ url, params }: RequestEvent): boolean =>
	[routedPath(url), ...Object.values(params)].some((part) => /\.(?:csv|json)$/.test(part ?? ''));

/** Where a login begins: what is kept of each is kept for whoever asks, without an account. */
const LOGINS: ReadonlySet<string | null> = new Set<keyof typeof routes>([
	'/login',
	'/login/passkey',
	'/login/provider'
]);

/** Whether a request begins a login; the page of logins alone begins none. */
const isLogin = ({ route, request }: RequestEvent): boolean =>
	LOGINS.has(route.id) && (request.method === 'POST' || route.id === '/login/provider');

/** What a body adds to the cost of a change: one for each 64 KiB that it may have. */
function bodyCost({ request, route, locals }: RequestEvent): number {
	const { bytes } = bodyLimitsOf(route.id, locals.account !== null);
	const length = Number(request.headers.get('content-length') ?? bytes);
	return Math.floor(Math.min(length, bytes) / SMALL_BODY.bytes);
}

/** What a request takes from its caller's budgets. */
function costOf(event: RequestEvent): number {
	const { method } = event.request;
	if (isLogin(event)) return COST.login;
	if (method !== 'GET' && method !== 'HEAD') return COST.change + bodyCost(event);
	return isFile(event) && !event.isDataRequest ? COST.export : COST.read;
}

/** The seconds to wait when the caller has asked for too much, else null. */
export function secondsOverBudget(event: RequestEvent): Promise<number | null> {
	const { locals } = event;
	return locals.app.requestBudget.take(
		{ account: locals.identity.account?.id ?? null, address: addressOf(event) },
		costOf(event)
	);
}
