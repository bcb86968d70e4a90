/** Komodeck's own texts in the RPC API; everything else is in the words of the daemon or node. */
import { duration } from '#lib/text/duration.ts';

/** What exceeds a limit, as the beginning of a sentence. */
const TOO_MANY = {
	calls: 'Too many calls',
	bytes: 'Too much data at once',
	responses: 'Too many long responses that you have not received yet',
	keys: 'Too many requests with an Idempotency-Key'
} as const;

export type TooMany = keyof typeof TOO_MANY;

export const rpcApi = {
	badKey: 'The Idempotency-Key must have 8 to 128 visible characters. Nothing was done.',
	secretKeyed:
		'A call that holds or returns a secret, such as a passphrase, a private key or a PIN, cannot have an Idempotency-Key. Nothing was done: send it in a request without a key.',
	reusedKey:
		'This Idempotency-Key was used with another request before. Nothing was done: use a new key.',
	runningKey:
		'A request with this Idempotency-Key is still in progress, or the server stopped before its answer came. Nothing was done twice: check what happened before you use a new key.',
	lostAnswer:
		'A request with this Idempotency-Key was processed before. Its response was too long to be stored.',
	tooMany: (what: TooMany, seconds: number): string =>
		`${TOO_MANY[what]}: wait ${duration(seconds, Math.ceil)}, then try again. Nothing of this request was processed.`,
	failed: (requestId: string): string => `Komodeck failed; request ${requestId}`,
	failedBehind: (requestId: string): string =>
		`Komodeck failed after the call was sent, so the call may have been processed: check what happened before you send it again. Request ${requestId}.`,
	/** @param fault a complete sentence */
	databaseFailed: (fault: string, requestId: string): string => `${fault} Request ${requestId}.`,
	ended:
		'The session or API token of this request ended before this call was made. The call was not made.',
	late: 'The session or API token of this request ended before the daemon responded. The response is withheld.',
	foreign: 'This request does not come from a page of Komodeck.\n',
	elsewhere: 'This API token is not for use from this address. Nothing was done.\n',
	userpass:
		'userpass is not your API token. Send your API token as userpass or in the Authorization header, never the password of the trading node.',
	compressed: 'Compressed request bodies are not supported',
	tooManyCalls: (most: number): string => `A batch can have at most ${most} calls`,
	tooManyValues: (most: number): string =>
		`A request can have at most ${most} values; nothing was called`,
	tooLarge: (bytes: number, hexBytes: number): string =>
		`A request can have at most ${bytes} bytes, or ${hexBytes} where a parameter is hex; nothing was called`,
	answerNotJson: 'The daemon received the call, but its answer is not JSON.',
	notCut:
		'The response to this batch is too large to be taken apart. Whether this call was made is not known here: send fewer calls in one batch.',
	batchFull:
		'The responses to the calls before this one are too long together. This call was not made: send it in another request.',
	batchHeld:
		'Your responses that are not sent yet are too long together. This call changed nothing: send it in another request when you have received them.',
	leftOut: 'The daemon did not answer this call of the batch.'
} as const;
