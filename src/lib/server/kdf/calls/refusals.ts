/** Failures of calls to a trading node as its refusals, which the registry recognizes. */
import { parseJson } from '#lib/rpc/json.ts';
import type { KdfRefusal } from '#lib/rpc/kdf/envelope.ts';
import { recognizeKdfError, type KdfErrorCode } from '#lib/rpc/errors/kdf.ts';
import type { Failure } from '#lib/messages/errors/activation.ts';

/** Returns the refusal of a failure of the kind `refused`. */
export const refusalOf = ({ type, message, data }: Failure): KdfRefusal => ({
	type,
	message: message.replace(/^Internal error: (\w+:\d+\] )/, ''),
	data: data === null ? undefined : parseJson(JSON.stringify(data))
});

/**
 * Returns the code of the error that the node reported; null for an unknown one, and when it refused nothing.
 * @param method name on the wire; null where only errors that mean the same for every method are told apart
 */
export const refusalCode = (method: string | null, failure: Failure): KdfErrorCode | null =>
	failure.kind === 'refused'
		? (recognizeKdfError(method ?? '', refusalOf(failure))?.code ?? null)
		: null;
