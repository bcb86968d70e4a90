import type { BodyLimits } from './bodyLimits.ts';
import { contentTypeOf } from './contentType.ts';
import { fieldCounter, type BodyFault } from './fieldCounter.ts';

/** The status of an answer to a sender whose body was not taken. */
export const BODY_FAULT_STATUS: Readonly<Record<BodyFault, 400 | 413 | 415>> = {
	'too-large': 413,
	'too-many-fields': 413,
	'long-name': 400,
	broken: 400,
	'not-taken': 415
};

/**
 * The request with its body in memory, or why the body is not taken. Not a byte is read of a body that says
 * that it is too large, and of others no more than the piece that goes beyond a limit. The stream is left as
 * it is then: cancelling it would end the connection before the answer.
 */
export async function takeBody(request: Request, limits: BodyLimits): Promise<Request | BodyFault> {
	const { headers, body } = request;
	const encoding = headers.get('content-encoding');
	if (encoding !== null && encoding.toLowerCase() !== 'identity') return 'not-taken';
	const type = contentTypeOf(headers);
	const counter = fieldCounter(type, limits);
	if (typeof counter === 'string') return counter;
	if (Number(headers.get('content-length') ?? 0) > limits.bytes) return 'too-large';
	if (body === null) return request;
	const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
	const pieces: Uint8Array[] = [];
	let size = 0;
	try {
		for (;;) {
			const { done, value } = await reader.read();
			if (done) break;
			size += value.length;
			if (size > limits.bytes) return 'too-large';
			const fault = counter.feed(value);
			if (fault !== null) return fault;
			pieces.push(value);
		}
	} catch {
		// The sender went away, or sent what is no chunk.
		return 'broken';
	}
	const { method, url, signal } = request;
	const taken = new Request(url, { method, headers, signal, body: Buffer.concat(pieces, size) });
	// As it was counted, so it is parsed.
	if (type === null) taken.headers.delete('content-type');
	else taken.headers.set('content-type', type.toString());
	return taken;
}
