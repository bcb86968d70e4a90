import { ANSWER_TITLES } from '#lib/messages/requests.ts';
import { databaseErrorMessage, type RequestOutcome } from '#lib/messages/database.ts';
import type { RequestEvent } from '@sveltejs/kit';
import { databaseErrorKind, RETRY_SECONDS } from '#lib/server/platform/database/databaseError.ts';
import { logError } from './log.ts';
import { errorResponse } from './errorResponse.ts';

/**
 * Remembers and logs a database error for this request; null when the error does not come from the database.
 */
export function noteDatabaseError(event: RequestEvent, error: unknown): App.Error | null {
	const kind = databaseErrorKind(error);
	if (kind === null) return null;
	event.locals.databaseError = kind;
	logError(event, error, 503, 'the database refused');
	return databaseErrorBody(event);
}

function outcomeOf({ request, locals }: RequestEvent): RequestOutcome {
	if (locals.work?.acted === true) return 'perhaps';
	return request.method === 'GET' || request.method === 'HEAD' ? 'page' : 'nothing';
}

function databaseErrorBody(event: RequestEvent): App.Error {
	const { databaseError, requestId } = event.locals;
	const kind = databaseError ?? 'gone';
	const { what, safe, next } = databaseErrorMessage(kind, outcomeOf(event));
	return { message: what, safe, next, code: `database-${kind}`, requestId };
}

/** A client is not told to retry at once when the request may have had an effect. */
const secondsOf = (event: RequestEvent): number | null =>
	outcomeOf(event) === 'perhaps' ? null : RETRY_SECONDS;

/** Returns the response to a request for which the database failed. */
export const databaseErrorResponse = (event: RequestEvent): Response =>
	errorResponse(event, 503, ANSWER_TITLES.database, databaseErrorBody(event), secondsOf(event));

/**
 * Gives database errors a status of their own (503, or 409 for a duplicate), and a message in every format.
 */
export function afterDatabaseError(event: RequestEvent, response: Response): Response {
	const { answerAs: status } = event.locals;
	if (status !== null && response.status === 500) {
		return new Response(response.body, { status, headers: response.headers });
	}
	if (event.locals.databaseError === null || response.status !== 500) return response;
	// A page rendered by SvelteKit has its security policy; otherwise the error page could not be rendered
	// and is replaced.
	if (!response.headers.has('content-security-policy')) return databaseErrorResponse(event);
	const headers = new Headers(response.headers);
	const seconds = secondsOf(event);
	if (seconds !== null) headers.set('retry-after', String(seconds));
	return new Response(response.body, { status: 503, headers });
}
