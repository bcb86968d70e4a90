/** The JSON-RPC envelope of a chain daemon, and the codes of its errors. */
import { z } from 'zod';
import { int, text } from './types.ts';

/** What the codes mean; the message tells more. */
export const ERROR_CODES: ReadonlyMap<number, string> = new Map([
	[-1, 'the call was refused; the message says why, or how to call'],
	[-2, 'safe mode: the chain may have forked'],
	[-3, 'a parameter has the wrong type or amount'],
	[-4, 'the wallet cannot do that'],
	[-5, 'unknown block, transaction, address or key'],
	[-6, 'not enough funds'],
	[-7, 'out of memory'],
	[-8, 'a parameter has a wrong value'],
	[-9, 'the daemon has no peers'],
	[-10, 'the daemon still downloads the chain'],
	[-11, 'wrong account name'],
	[-12, 'the key pool ran out'],
	[-13, 'the wallet is locked'],
	[-14, 'wrong passphrase'],
	[-15, 'the wallet is in the wrong state of encryption'],
	[-16, 'the wallet could not be encrypted'],
	[-17, 'the wallet is unlocked already'],
	[-18, 'the wallet is disabled'],
	[-20, 'the database cannot be read'],
	[-22, 'the transaction cannot be decoded'],
	[-25, 'the transaction could not be sent: an input is missing'],
	[-26, 'the transaction was refused'],
	[-27, 'the transaction is in the chain already'],
	[-28, 'the daemon is starting'],
	[-32600, 'the request is malformed'],
	[-32601, 'there is no such method'],
	[-32602, 'the parameters are malformed'],
	[-32603, 'internal error of the daemon'],
	[-32700, 'the request is not JSON']
]);

/** The error of an answer: exactly a known code and a message, which may be empty. */
const rpcError = z.strictObject({
	code: int.refine((code) => ERROR_CODES.has(code), 'the error code is unknown'),
	message: text
});

/** An answer: `result`, `error` and `id`, one of the first two being null. */
export const answerEnvelope = z.strictObject({
	result: z.unknown(),
	error: z.union([z.null(), rpcError]),
	id: z.unknown()
});
