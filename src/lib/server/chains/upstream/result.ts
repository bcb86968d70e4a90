import type { EnvelopeFault } from '#lib/messages/errors/daemon.ts';
import { RPC_MISC_ERROR } from '#lib/rpc/errorCodes.ts';
import { exactInteger } from '#lib/rpc/exact.ts';
import { isJsonObject, JsonNumber, parseJson, type JsonValue } from '#lib/rpc/json.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { RawAnswer } from './rawAnswer.ts';

/** Content of a JSON-RPC answer: a result, or the daemon's error. */
type Envelope =
	{ kind: 'result'; result: JsonValue } | { kind: 'error'; code: number; message: string };

const noEnvelope = (fault: EnvelopeFault, cause?: unknown): AppError =>
	new AppError('answer.no-envelope', { fault }, { cause });

/**
 * Parses the envelope of one call. Numbers keep their digits.
 * @throws {AppError} `answer.no-envelope` when the body is not a JSON-RPC answer
 */
export function readEnvelope(answer: Pick<RawAnswer, 'body'>): Envelope {
	let content: JsonValue;
	try {
		content = parseJson(answer.body.toString('utf8'));
	} catch (cause) {
		throw noEnvelope('not-json', cause);
	}
	if (!isJsonObject(content)) throw noEnvelope('no-object');
	const { result, error } = content;
	// JSON-RPC 2.0 omits whichever of `result` and `error` does not apply.
	if (error === undefined || error === null) {
		if (result === undefined) throw noEnvelope('no-result');
		return { kind: 'result', result };
	}
	if (typeof error === 'string') return { kind: 'error', code: RPC_MISC_ERROR, message: error };
	const { code, message = '' } = isJsonObject(error) ? error : {};
	const number = exactInteger(code instanceof JsonNumber ? code.source : String(code));
	if (number === null || typeof message !== 'string') {
		throw noEnvelope('no-error-code');
	}
	return { kind: 'error', code: Number(number), message };
}
