import { ANSWER_TITLES, IDEMPOTENCY } from '#lib/messages/requests.ts';
import type { RequestEvent } from '@sveltejs/kit';
import {
	answerOfResponse,
	keyOfRequest,
	responseOf
} from '#lib/server/platform/http/onceRequest.ts';
import {
	storedResponseOf,
	storedFormResponse
} from '#lib/server/platform/idempotency/storedResponse.ts';
import type { OnceForms } from '#lib/server/platform/idempotency/onceForms.ts';
import { noteDatabaseError, databaseErrorResponse } from './databaseFaults.ts';
import { tooManyAnswer, errorResponse } from './errorResponse.ts';

/** Path and query of the page to whose form action a URL leads: an action is a parameter like `/create`. */
export function pageOf({ pathname, searchParams }: URL): string {
	const rest = new URLSearchParams([...searchParams].filter(([name]) => !name.startsWith('/')));
	return rest.size === 0 ? pathname : `${pathname}?${rest.toString()}`;
}

/**
 * Executes a request with an idempotency key once; repeats of it get the stored response. The body of a POST must be in
 * memory.
 */
export async function onceFor(
	event: RequestEvent,
	answer: () => Promise<Response>
): Promise<Response> {
	const { request, url, locals } = event;
	const { account, app, requestId } = locals;
	// Requests of anonymous callers create nothing twice, and their responses are not stored in the database.
	if (request.method !== 'POST' || account === null || event.isSubRequest) return answer();
	const named = await keyOfRequest(request);
	if (named === null) return answer();
	const refused = (status: number, code: string, message: string): Response =>
		errorResponse(event, status, ANSWER_TITLES.notTaken, { message, code, requestId }, null);
	if (named === 'bad') {
		return refused(400, 'bad-idempotency-key', IDEMPOTENCY.bad);
	}
	const { key, fingerprint, isForm } = named;
	let once: Awaited<ReturnType<OnceForms>>;
	try {
		once = await app.onceForm(
			{
				actor: account.id,
				route: `${url.pathname}${url.search}`,
				key: isForm ? `${key} ${fingerprint}` : key,
				fingerprint
			},
			async () => answerOfResponse(await answer()),
			{
				// A reading is made again when it is repeated.
				keep: (result) =>
					isForm && locals.work?.acted === true
						? storedFormResponse(result, pageOf(url))
						: storedResponseOf(result)
			}
		);
	} catch (error) {
		if (noteDatabaseError(event, error) === null) throw error;
		return databaseErrorResponse(event);
	}
	switch (once.kind) {
		case 'answer':
			return responseOf(once.answer);
		case 'limited':
			return tooManyAnswer(event, once.seconds);
		case 'reused':
			return refused(422, 'idempotency-key-reused', IDEMPOTENCY.reused);
		case 'running':
			return refused(409, 'still-running', IDEMPOTENCY.running);
	}
}
