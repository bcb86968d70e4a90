/**
 * Why a connection to a server that somebody named did not come about.
 * - `bad-target`: the name, port or address cannot be used at all
 * - `not-resolved`: the name is unknown
 * - `forbidden`: the name leads into a private network that nobody listed
 * - `unreachable`: nothing answers there
 * - `timeout`: it took too long
 * - `tls`: the certificate cannot be trusted, or there is no TLS
 * - `too-large`: the answer is longer than allowed
 * - `broken`: the connection ended early, or what came is no answer
 */
type EgressErrorCode =
	| 'bad-target'
	| 'not-resolved'
	| 'forbidden'
	| 'unreachable'
	| 'timeout'
	| 'tls'
	| 'too-large'
	| 'broken';

/** The message is a sentence for a person; it names the server and holds nothing that came from it. */
export class EgressError extends Error {
	override readonly name = 'EgressError';
	readonly code: EgressErrorCode;

	constructor(code: EgressErrorCode, message: string, cause?: unknown) {
		super(message, cause === undefined ? undefined : { cause });
		this.code = code;
	}
}
