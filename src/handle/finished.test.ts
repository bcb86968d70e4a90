import type { RequestEvent } from '@sveltejs/kit';
import { expect, it } from 'vitest';
import { VISITOR } from '#lib/server/access/identity/identity.ts';
import { finished } from './finished.ts';

/** The parts of a request's event that finishing its response reads. */
const eventOf = (method: string): RequestEvent =>
	({
		request: new Request('http://127.0.0.1/', { method }),
		route: { id: '/api/v1/[file]' },
		locals: {
			app: { metrics: { answered: () => undefined } },
			identity: VISITOR,
			requestId: 'r1',
			secure: false
		}
	}) as unknown as RequestEvent;

/** A body without end that counts its chunks. */
function endless(): { body: ReadableStream; read: () => number; isCancelled: () => boolean } {
	let chunks = 0;
	let cancelled = false;
	const body = new ReadableStream({
		pull(controller) {
			chunks += 1;
			controller.enqueue(new Uint8Array(1000));
		},
		cancel() {
			cancelled = true;
		}
	});
	return { body, read: () => chunks, isCancelled: () => cancelled };
}

it('a response to HEAD has the headers of the response to GET, and ends the making of its body', async () => {
	const { body, read, isCancelled } = endless();
	const headers = { 'content-disposition': 'attachment; filename="blocks.csv"' };
	const answer = finished(eventOf('HEAD'), new Response(body, { status: 203, headers }));
	expect(answer.status).toBe(203);
	expect(answer.body).toBeNull();
	expect(answer.headers.get('content-disposition')).toContain('blocks.csv');
	expect(answer.headers.get('x-request-id')).toBe('r1');
	await new Promise(setImmediate);
	expect(isCancelled()).toBe(true);
	expect(read()).toBeLessThanOrEqual(1);
});

it('a response to HEAD is sent although the making of its body fails', async () => {
	const body = new ReadableStream({
		start: (controller) => controller.error(new Error('no database'))
	});
	expect(finished(eventOf('HEAD'), new Response(body)).body).toBeNull();
	// A rejection that is not handled fails the test.
	await new Promise(setImmediate);
});

it('a response to GET keeps its body', async () => {
	const answer = finished(eventOf('GET'), new Response('rows'));
	expect(await answer.text()).toBe('rows');
});
