/**
 * Ends the connection of a request whose body was not read to its end: who is refused does not make the
 * server read on. A small rest is taken and dropped, because a client that still writes when the connection
 * is closed may see a broken connection and not the answer.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** What is read of a body behind its answer: in bytes, and for how long. */
export interface RestLimits {
	bytes: number;
	milliseconds: number;
}

const REST: RestLimits = { bytes: 64 * 1024, milliseconds: 1_000 };

const hasBody = ({ headers }: IncomingMessage): boolean =>
	headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Reads and drops the rest of a body; resolves when there is no more of it, or too much, or too slowly. */
function dropRest(request: IncomingMessage, rest: RestLimits): Promise<void> {
	if (request.complete || request.destroyed) return Promise.resolve();
	return new Promise((resolve) => {
		let left = rest.bytes;
		// Not before the client has had time to read the answer.
		const timer = setTimeout(resolve, rest.milliseconds);
		const done = (): void => {
			clearTimeout(timer);
			resolve();
		};
		request.removeAllListeners('data');
		request.on('data', (chunk: Buffer) => {
			left -= chunk.length;
			if (left < 0) request.pause();
		});
		request.once('end', done);
		request.once('close', done);
		request.resume();
	});
}

/** Makes the answer to `request` the last one of its connection when its body is not read by then. */
export function endAfterUnreadBody(
	request: IncomingMessage,
	response: ServerResponse,
	rest = REST
): void {
	if (!hasBody(request)) return;
	type Call<R> = (...given: unknown[]) => R;
	const plain = {
		writeHead: response.writeHead.bind(response) as Call<ServerResponse>,
		write: response.write.bind(response) as Call<boolean>,
		end: response.end.bind(response) as Call<ServerResponse>,
		flushHeaders: response.flushHeaders.bind(response)
	};
	response.writeHead = ((...given: unknown[]) => {
		if (!request.complete) {
			response.shouldKeepAlive = false;
			response.setHeader('Connection', 'close');
		}
		return plain.writeHead(...given);
	}) as typeof response.writeHead;
	response.end = ((...given: unknown[]) => {
		if (request.complete) return plain.end(...given);
		const [chunk, encoding] = given;
		const last = typeof chunk === 'string' || chunk instanceof Uint8Array ? chunk : null;
		if (!response.headersSent) {
			// The client knows where the answer ends, although the connection stays for the rest of the body.
			response.setHeader('Content-Length', last === null ? 0 : Buffer.byteLength(last));
			response.writeHead(response.statusCode);
		}
		if (last === null) plain.flushHeaders();
		else plain.write(last, typeof encoding === 'string' ? encoding : 'utf8');
		void dropRest(request, rest).then(() => plain.end());
		return response;
	}) as typeof response.end;
}
