import {
	ANSWER_TITLES,
	BODY_FAULT_WORDS,
	filesFull,
	tooManyRequests
} from '#lib/messages/requests.ts';
import { json, type RequestEvent } from '@sveltejs/kit';
import type { BodyFault } from '#lib/server/platform/http/fieldCounter.ts';
import { PLAIN_POLICY, plainPage } from '#lib/server/platform/http/plainPage.ts';
import { BODY_FAULT_STATUS } from '#lib/server/platform/http/takeBody.ts';
import { wantsPage } from './context.ts';

/** Returns a plain response to a request that was not executed, in the format that the caller expects. */
export function errorResponse(
	event: RequestEvent,
	status: number,
	title: string,
	error: App.Error,
	seconds: number | null
): Response {
	const { request, url, locals } = event;
	const headers = {
		...(seconds === null ? {} : { 'retry-after': String(seconds) }),
		'cache-control': 'private, no-store'
	};
	if (request.headers.get('x-sveltekit-action') === 'true') {
		return json({ type: 'error', status, error }, { status, headers });
	}
	if (wantsPage(event) && !event.isSubRequest) {
		const { message, safe, next } = error;
		const sentences = [message, safe, next].filter((sentence) => sentence !== undefined);
		return new Response(plainPage({ title, sentences, requestId: locals.requestId }), {
			status,
			headers: {
				...headers,
				'content-type': 'text/html; charset=utf-8',
				'content-security-policy': PLAIN_POLICY
			}
		});
	}
	const body = url.pathname.startsWith('/api/v1/') ? { error } : error;
	return json(body, { status, headers });
}

function refuseForNow(
	event: RequestEvent,
	code: string,
	message: string,
	seconds: number
): Response {
	const { requestId } = event.locals;
	return errorResponse(event, 429, ANSWER_TITLES.tooMany, { message, code, requestId }, seconds);
}

/** Returns the response to a caller who exceeded a budget. */
export const tooManyAnswer = (event: RequestEvent, seconds: number): Response =>
	refuseForNow(event, 'too-many-requests', tooManyRequests(seconds), seconds);

/** Returns the response to a caller who downloads as many files as allowed. */
export const filesFullAnswer = (event: RequestEvent, seconds: number): Response =>
	refuseForNow(event, 'too-many-files', filesFull(seconds), seconds);

/** Returns the response to a request whose body is refused. */
export function bodyFaultAnswer(event: RequestEvent, fault: BodyFault): Response {
	const status = BODY_FAULT_STATUS[fault];
	const message = BODY_FAULT_WORDS[fault];
	const { requestId } = event.locals;
	const error: App.Error = { message, code: `body-${fault}`, requestId };
	return errorResponse(event, status, ANSWER_TITLES.notTaken, error, null);
}
