import { explainErrorText, TURN_WORDS, type KnownError } from '#lib/rpc/errors/index.ts';
import type { UpstreamError } from './types.ts';

/** A failed call in words: what happened, whether something may have been done, what to do next. */
export interface Explanation {
	what: string;
	safe: string;
	next: string;
}

const SAFE = {
	no: 'The daemon did not act on the call.',
	maybe: 'The call was sent and no answer came, so it is not known whether the daemon acted on it.',
	yes: 'The daemon took the call.'
} as const;

/** Longer words (a usage text has pages of them) are shown up to here. */
const QUOTED_LETTERS = 300;

/** The daemon's words on one line, for a sentence. */
function quoted(words: string): string {
	const line = words.trim().replace(/\s+/g, ' ');
	return line.length > QUOTED_LETTERS ? `${line.slice(0, QUOTED_LETTERS)}…` : line;
}

/** What is known about the words of a refusal; null for other failures, and for words nobody wrote about. */
function knownRefusal(error: UpstreamError): KnownError | null {
	if (error.code !== 'rpc' && error.code !== 'soft') return null;
	return explainErrorText(error.method, error.rpcMessage ?? '');
}

function refusedWhat(error: UpstreamError): string {
	const { daemon, method } = error;
	const words = quoted(error.rpcMessage ?? '');
	const known = knownRefusal(error);
	const said =
		words === ''
			? `${daemon} refused ${method} without giving a reason.`
			: `${daemon} refused ${method}: ${words}`;
	if (known === null) return said;
	return `${/[.!?…]$/.test(said) ? said : `${said}.`} ${known.what}`;
}

function refusedNext(error: UpstreamError): string {
	const known = knownRefusal(error);
	return known === null
		? 'Correct what the daemon names, then try again.'
		: `${TURN_WORDS[known.turn]}: ${known.next}`;
}

function what(error: UpstreamError): string {
	const { daemon, method } = error;
	switch (error.code) {
		case 'unreachable':
			return `Nothing answers at the address of ${daemon}.`;
		case 'timeout':
			return `${daemon} did not answer ${method} in time.`;
		case 'warming-up':
			return `${daemon} is still starting${error.rpcMessage ? ` (${error.rpcMessage})` : ''}.`;
		case 'busy':
			return `${daemon} has more work waiting than it takes.`;
		case 'unauthorized':
			return error.status === 403
				? `${daemon} does not accept calls from this machine.`
				: `${daemon} refuses the login that is configured for it.`;
		case 'truncated':
			return `The answer of ${daemon} to ${method} broke off.`;
		case 'too-large':
			return `The answer of ${daemon} to ${method} is larger than this console takes.`;
		case 'not-rpc':
			return `What answers at the address of ${daemon} is not a chain daemon.`;
		case 'misfit':
			return `${daemon} gave an answer that cannot be used: ${error.message}`;
		case 'rpc':
		case 'soft':
			return refusedWhat(error);
		case 'wrong-chain':
			return `The daemon at the address of ${daemon} serves another chain or wallet than configured.`;
		case 'switched-off':
			return error.rpcMessage ?? 'An admin has switched this off.';
		case 'bad-params':
			return `The parameters do not fit ${method}.`;
		case 'unknown-daemon':
			return `No daemon called ${daemon} is configured.`;
	}
}

function next(error: UpstreamError): string {
	switch (error.code) {
		case 'unreachable':
			return 'Check that the daemon runs and that its rpcport is the configured one.';
		case 'timeout':
		case 'truncated':
			return error.reached === 'no'
				? 'Try again in a moment.'
				: 'For something that changes the chain, look first whether it has happened. A read can simply be repeated.';
		case 'warming-up':
			return 'Wait until it is ready; nothing needs to be done.';
		case 'busy':
			return 'Try again in a moment. If it stays so, raise rpcworkqueue in the daemon’s configuration.';
		case 'unauthorized':
			return error.status === 403
				? 'Add this machine’s address to rpcallowip in the daemon’s configuration.'
				: 'Compare rpcuser and rpcpassword with the configuration here, then run "npm run komodeck -- check".';
		case 'too-large':
			return 'Ask for less at once, for example a smaller range.';
		case 'not-rpc':
			return 'Check the address and port, and whether a proxy stands in between.';
		case 'misfit':
			return 'Compare the daemon’s version with the supported one; an admin finds the count on the health page.';
		case 'rpc':
		case 'soft':
			return refusedNext(error);
		case 'wrong-chain':
			return 'Correct the configuration; until then this daemon is not used.';
		case 'switched-off':
			return 'Wait until an admin lifts the switch, then try again.';
		case 'bad-params':
			return 'Correct the parameters.';
		case 'unknown-daemon':
			return 'Choose one of the configured daemons.';
	}
}

/** Sentences for people. They hold the daemon's id, the method and the daemon's own words, never a credential. */
export function explainUpstream(error: UpstreamError): Explanation {
	return { what: what(error), safe: SAFE[error.reached], next: next(error) };
}
