import { JsonNumber, parseJson } from '#lib/rpc/json.ts';
import type { JsonValue } from '#lib/rpc/json.ts';
import type { RawAnswer } from './types.ts';

/** What a JSON-RPC answer says: a result, or the daemon's error. */
export type Envelope =
	{ kind: 'result'; result: JsonValue } | { kind: 'error'; code: number; message: string };

/** An answer that is JSON and yet no answer to a call. */
export class EnvelopeError extends Error {
	override readonly name = 'EnvelopeError';
	readonly code = 'envelope';
}

/**
 * Reads the envelope of one call. Numbers keep their digits.
 * @throws {EnvelopeError} when it is no JSON-RPC answer
 */
export function readEnvelope(answer: RawAnswer): Envelope {
	let content: JsonValue;
	try {
		content = parseJson(answer.body.toString('utf8'));
	} catch (cause) {
		throw new EnvelopeError('The answer is not JSON.', { cause });
	}
	if (typeof content !== 'object' || content === null || !Object.hasOwn(content, 'error')) {
		throw new EnvelopeError('The answer has no member "error".');
	}
	const { result, error } = content as { result?: JsonValue; error: JsonValue };
	if (error === null) {
		if (result === undefined) throw new EnvelopeError('The answer has no member "result".');
		return { kind: 'result', result };
	}
	const { code, message } = error as { code?: JsonValue; message?: JsonValue };
	const number = code instanceof JsonNumber ? Number(code.source) : Number.NaN;
	if (!Number.isInteger(number) || typeof message !== 'string') {
		throw new EnvelopeError('The error of the answer has no code or no message.');
	}
	return { kind: 'error', code: number, message };
}
