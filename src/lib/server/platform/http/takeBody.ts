import type { BodyLimits } from './bodyLimits.ts';
import { fieldCounter, type BodyFault } from './fieldCounter.ts';

/** What a sender reads whose body was not taken. */
export const BODY_FAULTS: Readonly<
	Record<BodyFault, { status: 400 | 413 | 415; message: string }>
> = {
	'too-large': {
		status: 413,
		message:
			'This is more than this address takes at once, so nothing was done. Go back, where what you typed still is, and send less.'
	},
	'too-many-fields': {
		status: 413,
		message:
			'This form has more fields than this address takes, so nothing was done. Go back, where what you typed still is, and send less.'
	},
	'long-name': {
		status: 400,
		message: 'A field of this form has a name that is too long, so nothing was done.'
	},
	broken: {
		status: 400,
		message: 'The form cannot be read: it is broken or incomplete. Nothing was done.'
	},
	'not-taken': {
		status: 415,
		message: 'Compressed bodies are not taken here. Send it as it is; nothing was done.'
	}
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
	const counter = fieldCounter(headers.get('content-type') ?? '', limits);
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
	return new Request(url, { method, headers, signal, body: Buffer.concat(pieces, size) });
}
