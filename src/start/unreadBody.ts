/**
 * Ends the connection of a request whose body was not read to its end: who is refused does not make the
 * server read on. A small rest is taken and dropped, because a client that still writes when the connection
 * is closed may see a broken connection and not the answer.
 */
import { ServerResponse, type IncomingMessage } from 'node:http';

/** What is read of a body behind its answer. */
const REST = { bytes: 64 * 1024, milliseconds: 1_000 };

/** Reads and drops the rest of a body; resolves when there is no more of it, or too much, or too slowly. */
function dropRest(request: IncomingMessage): Promise<void> {
	if (request.complete || request.destroyed) return Promise.resolve();
	return new Promise((resolve) => {
		let left = REST.bytes;
		// Not before the client has had time to read the answer.
		const timer = setTimeout(resolve, REST.milliseconds);
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

/** Whether nothing of a request is still to come. Of one without a body Node says so only behind its handler. */
function isRead(request: IncomingMessage): boolean {
	if (request.complete) return true;
	const { headers } = request;
	return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

/**
 * An answer that is the last one of its connection when the body of its request is not read by then. A class, for
 * Node to make its answers of: methods that were put on each answer by itself took a third of a call's time.
 */
export class LastAfterUnreadBody extends ServerResponse {
	override writeHead(...given: unknown[]): this {
		if (!isRead(this.req)) {
			this.shouldKeepAlive = false;
			this.setHeader('Connection', 'close');
		}
		return super.writeHead(...(given as [number]));
	}

	override end(...given: unknown[]): this {
		if (isRead(this.req)) return super.end(...(given as []));
		const [chunk, encoding] = given;
		const last = typeof chunk === 'string' || chunk instanceof Uint8Array ? chunk : null;
		if (!this.headersSent) {
			// The client knows where the answer ends, although the connection stays for the rest of the body.
			this.setHeader('Content-Length', last === null ? 0 : Buffer.byteLength(last));
			this.writeHead(this.statusCode);
		}
		if (last === null) super.flushHeaders();
		else super.write(last, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8');
		void dropRest(this.req).then(() => super.end());
		return this;
	}
}
