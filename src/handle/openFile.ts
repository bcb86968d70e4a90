import type { RequestEvent } from '@sveltejs/kit';
import { isFile } from './budget.ts';
import { addressOf } from './context.ts';
import { filesFullAnswer } from './errorResponse.ts';

/** Seconds after which a place may be free. */
const RETRY_SECONDS = 10;

/** Returns the body, with `close` called once when it ended, failed or is no longer wanted. */
function closing(body: ReadableStream<Uint8Array>, close: () => void): ReadableStream<Uint8Array> {
	const reader = body.getReader();
	return new ReadableStream<Uint8Array>({
		async pull(controller) {
			try {
				const { done, value } = await reader.read();
				if (!done) {
					controller.enqueue(value);
					return;
				}
			} catch (error) {
				close();
				throw error;
			}
			close();
			controller.close();
		},
		cancel(reason) {
			close();
			return reader.cancel(reason);
		}
	});
}

/**
 * Makes the response to a request. A file takes one of the caller's places until it is downloaded; without a free one
 * it is refused.
 */
export async function inOpenFile(
	event: RequestEvent,
	make: () => Promise<Response>
): Promise<Response> {
	const { request, locals } = event;
	// The body of a response to HEAD is not read.
	if (request.method !== 'GET' || event.isDataRequest || event.isSubRequest || !isFile(event)) {
		return make();
	}
	const close = locals.app.openFiles.open({
		account: locals.identity.account?.id ?? null,
		address: addressOf(event)
	});
	if (close === null) return filesFullAnswer(event, RETRY_SECONDS);
	let response: Response;
	try {
		response = await make();
	} catch (error) {
		close();
		throw error;
	}
	const { body, headers, ok, status } = response;
	if (ok && body !== null) return new Response(closing(body, close), { status, headers });
	close();
	return response;
}
