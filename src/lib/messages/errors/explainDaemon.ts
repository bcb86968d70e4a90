/** Explains failed calls to a daemon. The texts contain no credential. */
import { explainErrorText, type KnownError } from '../daemon-errors/index.ts';
import { nextStep } from '../daemon-errors/words.ts';
import { daemon, type Delivery } from './daemon.ts';
import { messageIn, type CodedOf } from './define.ts';
import type { Explanation } from './explanation.ts';

export type DaemonError = CodedOf<typeof daemon>;

const SAFE: Readonly<Record<Delivery, string>> = {
	'not-sent': 'The daemon did not act on the call.',
	unknown:
		'The call was sent and no answer came, so it is not known whether the daemon acted on it.',
	delivered: 'The daemon took the call.'
};

/** Returns the explanation of an error message; null for other failures, and for unknown messages. */
function knownRefusal({ code, params }: DaemonError): KnownError | null {
	if (code !== 'daemon.rpc-error' && code !== 'daemon.in-band-error') return null;
	return explainErrorText(params.method, params.rpcMessage ?? '');
}

function what(error: DaemonError): string {
	const message = messageIn(daemon, error);
	const known = knownRefusal(error);
	if (known === null) return message;
	return `${/[.!?…]$/.test(message) ? message : `${message}.`} ${known.what}`;
}

const READY_SOON = 'Wait until it is ready; nothing needs to be done.';

function next(error: DaemonError): string {
	const { code, params } = error;
	switch (code) {
		case 'daemon.unreachable':
			return 'Check that the daemon runs and that its rpcport is the configured one.';
		case 'daemon.timeout':
		case 'daemon.truncated':
			return params.delivery === 'not-sent'
				? 'Try again in a moment.'
				: 'For something that changes the chain, look first whether it has happened. A read can simply be repeated.';
		case 'daemon.syncing':
			return params.tip > 0
				? READY_SOON
				: 'Check that the daemon has peers. If no other daemon has this chain, try again after its next block.';
		case 'daemon.warming-up':
			return READY_SOON;
		case 'daemon.busy':
			return 'Try again in a moment. If it stays so, raise rpcworkqueue in the daemon’s configuration.';
		case 'daemon.unauthorized':
			return params.status === 403
				? 'Add this machine’s address to rpcallowip in the daemon’s configuration.'
				: 'Compare rpcuser and rpcpassword with the configuration here, then run "npm run komodeck -- check".';
		case 'daemon.too-large':
			return 'Ask for less at once, for example a smaller range.';
		case 'daemon.not-rpc':
			return 'Check the address and port, and whether a proxy stands in between.';
		case 'daemon.validation-mismatch':
			return 'Compare the daemon’s version with the supported one; an admin finds the count under Health on the page of the daemon.';
		case 'daemon.rpc-error':
		case 'daemon.in-band-error': {
			const known = knownRefusal(error);
			return known === null ? 'Correct what the daemon names, then try again.' : nextStep(known);
		}
		case 'daemon.wrong-chain':
			return 'Correct the configuration; until then this daemon is not used.';
		case 'daemon.safety-control':
			return 'Wait until an admin turns the safety control off, then try again.';
		case 'daemon.no-wallet':
			return 'Choose a daemon with a wallet, or start this one without disablewallet.';
		case 'daemon.invalid-params':
			return 'Correct the parameters.';
		case 'daemon.unknown':
			return 'Choose one of the configured daemons.';
	}
}

/**
 * Returns a message for everyone when the cause is a misconfiguration: details such as pubkeys and file names
 * are only for those who can correct it. Null for other causes.
 */
export const misconfigured = ({ code, params }: DaemonError): string | null =>
	code === 'daemon.wrong-chain' || code === 'daemon.unauthorized'
		? `${params.daemon} does not fit the configuration here. An admin has to correct that.`
		: null;

/** Returns what happened, whether something may have been done, and what to do next, as sentences. */
export const explainDaemon = (error: DaemonError): Explanation => ({
	what: what(error),
	safe: SAFE[error.params.delivery],
	next: next(error)
});
