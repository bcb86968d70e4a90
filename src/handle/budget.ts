import type { RequestEvent } from '@sveltejs/kit';
import { bodyLimitsOf } from '#lib/server/access/requests/bodyLimits.ts';
import { SMALL_BODY } from '#lib/server/platform/http/bodyLimits.ts';
import { COST } from '#lib/server/platform/rate-limits/throttleRequests.ts';
import { addressOf } from './context.ts';

/** Whether a file is asked for, in whatever spelling: the router reads `tokens%2Ecsv` as `tokens.csv`. */
const isFile = ({ url, params }: RequestEvent): boolean =>
	[url.pathname, ...Object.values(params)].some((part) => /\.(?:csv|json)$/.test(part ?? ''));

/** What a body adds to the cost of a change: one for each 64 KiB that it may have. */
function bodyCost({ request, route, locals }: RequestEvent): number {
	const { bytes } = bodyLimitsOf(route.id, locals.account !== null);
	const length = Number(request.headers.get('content-length') ?? bytes);
	return Math.floor(Math.min(length, bytes) / SMALL_BODY.bytes);
}

/** The seconds to wait when the caller has asked for too much, else null. */
export function secondsOverBudget(event: RequestEvent): Promise<number | null> {
	const { locals, request } = event;
	const reading = request.method === 'GET' || request.method === 'HEAD';
	const cost = isFile(event) && !event.isDataRequest ? COST.export : COST.read;
	return locals.app.requestBudget.take(
		{ account: locals.identity.account?.id ?? null, address: addressOf(event) },
		reading ? cost : COST.change + bodyCost(event)
	);
}
