import { STREAMS_FULL } from '#lib/messages/requests.ts';
import { json } from '@sveltejs/kit';
import type { RequestHandler } from './$types';

const HEADERS = {
	'content-type': 'text/event-stream; charset=utf-8',
	// Keeps proxies from compressing or buffering, which would delay events.
	'cache-control': 'no-store, no-transform',
	'x-accel-buffering': 'no'
};
const RETRY_SECONDS = 30;

/**
 * The event stream of a browser. `after`, or the header of a reconnecting stream, is the id of the last
 * event that the client has.
 */
export const GET: RequestHandler = ({ locals, request, url, getClientAddress }) => {
	if (request.method === 'HEAD') return new Response(null, { headers: HEADERS });
	const body = locals.app.live.open({
		identity: locals.identity,
		address: getClientAddress(),
		after: url.searchParams.get('after') ?? request.headers.get('last-event-id')
	});
	if ('full' in body) {
		const message = STREAMS_FULL[body.full];
		return json(
			{ code: 'too-many-streams', message, requestId: locals.requestId },
			{ status: 429, headers: { 'retry-after': String(RETRY_SECONDS) } }
		);
	}
	return new Response(body, { headers: HEADERS });
};
