import { exactInteger } from '#lib/rpc/exact.ts';
import { isJsonObject, JsonNumber, parseJson } from '#lib/rpc/json.ts';
import type { JsonValue } from '#lib/rpc/json.ts';
import type { RawAnswer } from './types.ts';

/** What a JSON-RPC answer says: a result, or the daemon's error. */
type Envelope =
	{ kind: 'result'; result: JsonValue } | { kind: 'error'; code: number; message: string };

/** Komodo daemon 0.9.0: a refusal without a code of its own. */
const UNSPECIFIC = -1;

/** An answer that is JSON and yet no answer to a call. */
export class EnvelopeError extends Error {
	override readonly name = 'EnvelopeError';
	readonly code = 'envelope';
}

/**
 * Reads the envelope of one call. Numbers keep their digits.
 * @throws {EnvelopeError} when it is no JSON-RPC answer
 */
export function readEnvelope(answer: Pick<RawAnswer, 'body'>): Envelope {
	let content: JsonValue;
	try {
		content = parseJson(answer.body.toString('utf8'));
	} catch (cause) {
		throw new EnvelopeError('The answer is not JSON.', { cause });
	}
	if (!isJsonObject(content)) throw new EnvelopeError('The answer is no object.');
	const { result, error } = content;
	// JSON-RPC 2.0 leaves out the one of the two that does not apply.
	if (error === undefined || error === null) {
		if (result === undefined) throw new EnvelopeError('The answer has no member "result".');
		return { kind: 'result', result };
	}
	if (typeof error === 'string') return { kind: 'error', code: UNSPECIFIC, message: error };
	const { code, message = '' } = isJsonObject(error) ? error : {};
	const number = exactInteger(code instanceof JsonNumber ? code.source : String(code));
	if (number === null || typeof message !== 'string') {
		throw new EnvelopeError('The error of the answer has no code or no message.');
	}
	return { kind: 'error', code: Number(number), message };
}
