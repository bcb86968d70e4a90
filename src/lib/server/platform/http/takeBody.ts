import type { BodyLimits } from './bodyLimits.ts';
import { contentTypeOf } from './contentType.ts';
import { fieldCounter, type BodyFault } from './fieldCounter.ts';

/** HTTP status for each reason to refuse a body. */
export const BODY_FAULT_STATUS: Readonly<Record<BodyFault, 400 | 413 | 415>> = {
	'too-large': 413,
	'too-many-fields': 413,
	'long-name': 400,
	broken: 400,
	'not-taken': 415
};

/**
 * Returns the request with its body in memory, or the reason to refuse it. A body whose Content-Length exceeds
 * the limit is not read at all, others only up to the piece that exceeds a limit. The rest of the stream is not
 * cancelled: that would close the connection before the response.
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
		// The client disconnected, or sent malformed chunks.
		return 'broken';
	}
	const { method, url, signal } = request;
	const taken = new Request(url, { method, headers, signal, body: Buffer.concat(pieces, size) });
	// The form must be parsed under the same type under which its fields were counted.
	if (type === null) taken.headers.delete('content-type');
	else taken.headers.set('content-type', type.toString());
	return taken;
}
