import type { RequestEvent } from '@sveltejs/kit';
import { createLog } from '#lib/server/platform/logging/log.ts';

const log = createLog();

/** Logs a request that ended with a server error. */
export function logError(event: RequestEvent, error: unknown, status: number, words: string): void {
	const { requestId, callerRequestId } = event.locals;
	const { method } = event.request;
	log.error(
		{ err: error, requestId, callerRequestId, method, route: event.route.id, status },
		words
	);
}
