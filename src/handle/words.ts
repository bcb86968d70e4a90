import { json, type RequestEvent } from '@sveltejs/kit';
import type { BodyFault } from '#lib/server/platform/http/fieldCounter.ts';
import { PLAIN_POLICY, plainPage } from '#lib/server/platform/http/plainPage.ts';
import { BODY_FAULTS } from '#lib/server/platform/http/takeBody.ts';
import { tooManyWords } from '#lib/server/platform/rate-limits/throttleRequests.ts';
import { wantsPage } from './context.ts';

/** An answer to what was not carried out: made of nothing but words, whoever asks and however. */
export function wordsAnswer(
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

/** To somebody who asked for too much. */
export function tooManyAnswer(event: RequestEvent, seconds: number): Response {
	const error: App.Error = {
		message: tooManyWords(seconds),
		code: 'too-many-requests',
		requestId: event.locals.requestId
	};
	return wordsAnswer(event, 429, 'Too many requests', error, seconds);
}

/** To a body that is not taken. */
export function bodyFaultAnswer(event: RequestEvent, fault: BodyFault): Response {
	const { status, message } = BODY_FAULTS[fault];
	const { requestId } = event.locals;
	const error: App.Error = { message, code: `body-${fault}`, requestId };
	return wordsAnswer(event, status, 'This cannot be taken', error, null);
}
