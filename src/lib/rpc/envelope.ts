/** The JSON-RPC envelope of a chain daemon, and its error codes. */
import { z } from 'zod';
import { int, text } from './types.ts';

/** Error codes of daemons; `lib/messages/daemonErrorCodes` explains them. */
export const ERROR_CODES = [
	-1, -2, -3, -4, -5, -6, -7, -8, -9, -10, -11, -12, -13, -14, -15, -16, -17, -18, -20, -22, -25,
	-26, -27, -28, -32600, -32601, -32602, -32603, -32700
] as const;

export type DaemonErrorNumber = (typeof ERROR_CODES)[number];

export const isErrorCode = (code: number): code is DaemonErrorNumber =>
	(ERROR_CODES as readonly number[]).includes(code);

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
