/** The JSON-RPC envelope of a chain daemon. */
import { z } from 'zod';
import { isErrorCode } from './errorCodes.ts';
import { int, text } from './types.ts';

/** The `error` of a response: a known code and a message, which may be empty. */
const rpcError = z.strictObject({
	code: int.refine(isErrorCode, 'the error code is unknown'),
	message: text
});

/** A response: `result`, `error` and `id`; one of the first two is null. */
export const answerEnvelope = z.strictObject({
	result: z.unknown(),
	error: z.union([z.null(), rpcError]),
	id: z.unknown()
});
