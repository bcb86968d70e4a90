/** Explains failed calls to a trading node. The texts contain no credential. */
import { nextStep } from '../daemon-errors/words.ts';
import type { Delivery } from '../errors/daemon.ts';
import type { Explanation } from '../errors/explanation.ts';
import { errorMessage, type CodedError, type CodesOf } from '../errors/index.ts';
import type { KdfRefusalParam } from '../errors/kdf.ts';
import { explainKdfError } from '../kdf-errors/index.ts';

type KdfError = CodedError<CodesOf<'kdf'>>;

const SAFE: Readonly<Record<Delivery, string>> = {
	'not-sent': 'The node did not act on the call.',
	unknown: 'The call was sent and no answer came, so it is not known whether the node acted on it.',
	delivered: 'The node took the call.'
};

const LOOK_FIRST = 'Look first whether it has happened; a mere look can be repeated.';

/** Returns the explanation of an error; null when there is none. */
const knownRefusal = (method: string, { type, message, data }: KdfRefusalParam) =>
	explainKdfError(method, { type, message, data: typeof data === 'string' ? data : undefined });

function next({ code, params }: KdfError): string {
	switch (code) {
		case 'kdf.unreachable':
			return 'Check that the node runs and that rpcip and rpcport are the configured ones.';
		case 'kdf.untrusted':
			return 'An admin compares its SHA-256 with the node’s own certificate and names it in the configuration (certificateSha256 or certificateFile).';
		case 'kdf.timeout':
			return params.delivery === 'not-sent' ? 'Try again in a moment.' : LOOK_FIRST;
		case 'kdf.busy':
		case 'kdf.password-replaced':
			return 'Try again in a moment.';
		case 'kdf.password-unreadable':
			return 'An admin checks the file that the configuration names for the node.';
		case 'kdf.truncated':
			return LOOK_FIRST;
		case 'kdf.too-large':
			return 'Ask for less at once, for example a smaller page.';
		case 'kdf.not-kdf':
			return 'Check the address and port, and whether a proxy stands in between.';
		case 'kdf.validation-mismatch':
			return 'Compare the node’s version with the supported one.';
		case 'kdf.rpc-error':
			return 'Correct what the node names, then try again.';
		case 'kdf.password-refused':
			return 'An admin corrects the password and confirms it on the page of the node.';
		case 'kdf.local-only':
			return 'Set rpc_local_only to false in its settings and let only this machine through to it.';
		case 'kdf.safety-control':
			return 'Wait until an admin turns the safety control off, then try again.';
		case 'kdf.invalid-params':
			return 'Correct the parameters.';
		case 'kdf.unknown':
			return 'Choose one of the configured nodes.';
	}
}

/** Returns what happened, whether something may have been done, and what to do next, as sentences. */
export function explainKdf(error: KdfError): Explanation {
	const { code, params } = error;
	const safe = SAFE[params.delivery];
	const known = code === 'kdf.rpc-error' ? knownRefusal(params.method, params.refusal) : null;
	return known === null
		? { what: errorMessage(code, params), safe, next: next(error) }
		: { what: known.what, safe, next: nextStep(known) };
}
