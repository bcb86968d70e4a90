/** What a caller reads whose request was not processed, whatever it asked for. */
import { duration } from '#lib/text/duration.ts';

/** Why the body of a request is not taken. */
export const BODY_FAULT_WORDS = {
	'too-large':
		'This request is larger than allowed, so nothing was done. Go back, where your input still is, and send less.',
	'too-many-fields':
		'This form has more fields than allowed, so nothing was done. Go back, where your input still is, and send less.',
	'long-name': 'A field of this form has a name that is too long, so nothing was done.',
	broken: 'The form cannot be read: it is broken or incomplete. Nothing was done.',
	'not-taken': 'Compressed bodies are not accepted here. Send it uncompressed; nothing was done.'
} as const;

/** An address that takes a form got something else. */
export const NOT_A_FORM = 'This address expects a form. Nothing was done.';

/** Requests that no page answers. */
export const UNANSWERED = {
	/** No route has the address. */
	nowhere: {
		message: 'There is nothing at this address.',
		next: 'Check that it is complete, or search for what you need.'
	},
	/** A form that the page does not have: perhaps one of another version of it. */
	noForm: {
		message: 'This page does not have that form.',
		safe: 'Nothing was done.',
		next: 'Open the page again: it may have changed since you loaded it.'
	},
	/** An address with bytes that are no text, and whatever else is left. */
	unreadable: {
		message: 'This request cannot be read: its address is broken or incomplete.',
		safe: 'Nothing was done.'
	}
} as const;

/** @param seconds until the next request is taken */
export const tooManyRequests = (seconds: number): string =>
	`Too many requests within a short time: this one was not processed. Wait ${duration(seconds, Math.ceil)}, then try again.`;

/** Told in the log and to admins. */
export const PLAIN_HTTP_WARNING =
	'Komodeck is used from another machine over plain HTTP, so passwords and tokens can be read on the network. Put a proxy with TLS in front and set KOMODECK_ORIGIN to its https address.';

/** Titles of answers to browsers that are no page of the product. */
export const ANSWER_TITLES = {
	database: 'Database unavailable',
	notTaken: 'Request not accepted',
	tooMany: 'Too many requests'
} as const;

/** A key by which a request that comes twice is known. */
export const IDEMPOTENCY = {
	bad: 'The Idempotency-Key must have 8 to 128 visible characters.',
	reused:
		'This Idempotency-Key was used by another request before. Nothing was done: use a new key.',
	running:
		'The same request is still being processed. Nothing was done twice: check again in a moment.'
} as const;

/** Two requests saved the same thing at once. */
export const DUPLICATE = {
	what: 'The same was saved by another request at the same moment.',
	safe: 'Nothing was saved twice.',
	next: 'Check the page again before you repeat the request.'
} as const;

/** @param requestId by which an admin finds the request in the log */
export const requestFailed = (requestId: string): string =>
	`This failed on the server. Admins find it in the log as request ${requestId}.`;

/** A failure behind something that may have been done. */
export const FAILED_BEHIND = {
	safe: 'The request had begun, so it may have been processed: a transaction may be on the network.',
	next: 'Check what happened before you repeat the request: on the page where you began it, under Transactions, or in the history of the wallet.'
} as const;

/** Why no event stream is opened. */
export const STREAMS_FULL = {
	address:
		'Too many event streams are open from this address. Close some pages, or try again later.',
	visitors: 'Too many visitors have event streams open. Log in, or try again later.',
	server: 'This server has as many event streams open as it can serve. Try again later.'
} as const;
