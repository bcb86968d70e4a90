/** Texts for requests that were not processed, whatever they requested. */
import { duration } from '#lib/text/duration.ts';

/** Why the body of a request is refused. */
export const BODY_FAULT_WORDS = {
	'too-large':
		'This request is larger than allowed, so nothing was done. Go back, where your input still is, and send less.',
	'too-many-fields':
		'This form has more fields than allowed, so nothing was done. Go back, where your input still is, and send less.',
	'long-name': 'A field of this form has a name that is too long, so nothing was done.',
	broken: 'The form cannot be read: it is broken or incomplete. Nothing was done.',
	'not-taken': 'Compressed bodies are not accepted here. Send it uncompressed; nothing was done.'
} as const;

/** A form action received something other than a form. */
export const NOT_A_FORM = 'This address expects a form. Nothing was done.';

/** Requests that match no page. */
export const UNANSWERED = {
	/** No route matches the URL. */
	nowhere: {
		message: 'There is nothing at this address.',
		next: 'Check that it is complete, or search for what you need.'
	},
	/** The page has no such form action: perhaps the form is of another version. */
	noForm: {
		message: 'This page does not have that form.',
		safe: 'Nothing was done.',
		next: 'Open the page again: it may have changed since you loaded it.'
	},
	/** The URL contains bytes that are no text; also used for all other cases. */
	unreadable: {
		message: 'This request cannot be read: its address is broken or incomplete.',
		safe: 'Nothing was done.'
	}
} as const;

/** @param seconds until the next request is accepted */
export const tooManyRequests = (seconds: number): string =>
	`Too many requests within a short time: this one was not processed. Wait ${duration(seconds, Math.ceil)}, then try again.`;

/** @param seconds until a file may be requested again */
export const filesFull = (seconds: number): string =>
	`Too many files are being downloaded: this one was not begun. Let the others finish, or wait ${duration(seconds, Math.ceil)}, then try again.`;

/** Shown in the log and to admins. */
export const PLAIN_HTTP_WARNING =
	'Komodeck is used from another machine over plain HTTP, so passwords and tokens can be read on the network. Put a proxy with TLS in front and set KOMODECK_ORIGIN to its https address.';

/** Titles of error responses outside of the regular pages. */
export const ANSWER_TITLES = {
	database: 'Database unavailable',
	notTaken: 'Request not accepted',
	tooMany: 'Too many requests'
} as const;

/** Errors of idempotency keys. */
export const IDEMPOTENCY = {
	bad: 'The Idempotency-Key must have 8 to 128 visible characters.',
	reused:
		'This Idempotency-Key was used by another request before. Nothing was done: use a new key.',
	running:
		'The same request is still being processed. Nothing was done twice: check again in a moment.'
} as const;

/** Two concurrent requests stored the same thing. */
export const DUPLICATE = {
	what: 'The same was saved by another request at the same moment.',
	safe: 'Nothing was saved twice.',
	next: 'Check the page again before you repeat the request.'
} as const;

/** @param requestId id under which admins find the request in the log */
export const requestFailed = (requestId: string): string =>
	`This failed on the server. Admins find it in the log as request ${requestId}.`;

/** A failure after the request may have had an effect. */
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
