import { ANSWER_TITLES } from '#lib/messages/requests.ts';
import { databaseErrorMessage, type RequestOutcome } from '#lib/messages/database.ts';
import type { RequestEvent } from '@sveltejs/kit';
import { databaseErrorKind, RETRY_SECONDS } from '#lib/server/platform/database/databaseError.ts';
import { logError } from './log.ts';
import { wordsAnswer } from './words.ts';

/** What the database said, kept with the request; null when the error is not its. */
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

/** Nobody is asked to repeat at once what may have been done. */
const secondsOf = (event: RequestEvent): number | null =>
	outcomeOf(event) === 'perhaps' ? null : RETRY_SECONDS;

/** To a request for which the database has failed. */
export const databaseErrorResponse = (event: RequestEvent): Response =>
	wordsAnswer(event, 503, ANSWER_TITLES.database, databaseErrorBody(event), secondsOf(event));

/** A fault of the database is no fault of the program: it has a status of its own, and words in every form. */
export function afterDatabaseError(event: RequestEvent, response: Response): Response {
	const { answerAs: status } = event.locals;
	if (status !== null && response.status === 500) {
		return new Response(response.body, { status, headers: response.headers });
	}
	if (event.locals.databaseError === null || response.status !== 500) return response;
	// A page in the usual frame has SvelteKit's policy; what could not be framed says it plainly.
	if (!response.headers.has('content-security-policy')) return databaseErrorResponse(event);
	const headers = new Headers(response.headers);
	const seconds = secondsOf(event);
	if (seconds !== null) headers.set('retry-after', String(seconds));
	return new Response(response.body, { status: 503, headers });
}
