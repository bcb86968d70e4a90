import type { RequestEvent } from '@sveltejs/kit';
import {
	databaseTrouble,
	RETRY_SECONDS,
	troubleWords
} from '#lib/server/platform/database/databaseError.ts';
import { logError } from './log.ts';
import { wordsAnswer } from './words.ts';

/** What the database said, kept with the request; null when the error is not its. */
export function noteTrouble(event: RequestEvent, error: unknown): App.Error | null {
	const trouble = databaseTrouble(error);
	if (trouble === null) return null;
	event.locals.trouble = trouble;
	logError(event, error, 503, 'the database refused');
	return troubleError(event.locals);
}

function troubleError({ trouble, requestId }: App.Locals): App.Error {
	const { what, safe, next } = troubleWords(trouble ?? 'gone');
	return { message: what, safe, next, code: `database-${trouble ?? 'gone'}`, requestId };
}

/** To a request for which the database has failed. */
export const troubleAnswer = (event: RequestEvent): Response =>
	wordsAnswer(
		event,
		503,
		'The database is not available',
		troubleError(event.locals),
		RETRY_SECONDS
	);

/** A fault of the database is no fault of the program: it has a status of its own, and words in every form. */
export function afterTrouble(event: RequestEvent, response: Response): Response {
	if (event.locals.duplicate && response.status === 500) {
		return new Response(response.body, { status: 409, headers: response.headers });
	}
	if (event.locals.trouble === null || response.status !== 500) return response;
	// A page in the usual frame has SvelteKit's policy; what could not be framed says it plainly.
	if (!response.headers.has('content-security-policy')) return troubleAnswer(event);
	const headers = new Headers(response.headers);
	headers.set('retry-after', String(RETRY_SECONDS));
	return new Response(response.body, { status: 503, headers });
}
