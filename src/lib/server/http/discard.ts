import type { IncomingMessage } from 'node:http';

/** How much of a refused body is read and dropped, in bytes. */
const MOST = 64 * 1024 * 1024;

/**
 * Reads a body that is refused and keeps none of it. A client that still writes when the connection is closed
 * sees a broken connection and not the refusal. Whoever sends without end gets no further than a bound; slow
 * ones end at the time limit of requests.
 */
export function discard(request: IncomingMessage, most = MOST): Promise<void> {
	if (request.complete || request.destroyed) return Promise.resolve();
	return new Promise((resolve) => {
		let left = most;
		const done = (): void => {
			request.off('data', drop);
			resolve();
		};
		const drop = (chunk: Buffer): void => {
			left -= chunk.length;
			if (left < 0) done();
		};
		request.on('data', drop);
		request.once('end', done);
		request.once('close', done);
		request.resume();
	});
}
