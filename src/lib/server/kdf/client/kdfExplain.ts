import { TURN_WORDS } from '#lib/rpc/errors/index.ts';
import { explainKdfError } from '#lib/rpc/errors/kdf.ts';
import type { Explanation } from '../../chains/daemon/explain.ts';
import type { KdfError, KdfStop } from './kdfTypes.ts';

/** A sentence on a node that refused the password. */
export function stopSentence({ reason, attemptsLeft: left }: KdfStop): string {
	switch (reason) {
		case 'banned':
			return 'The node has banned this machine after too many wrong passwords. Restart the node, correct the password, then confirm here. Until then nothing is sent to it.';
		case 'missing':
			return 'The node says that no password was sent. Check its settings, then confirm here. Until then nothing is sent to it.';
		case 'wrong': {
			const rest =
				left === null
					? 'It bans this machine after ten wrong ones.'
					: `It takes ${left} more wrong ${left === 1 ? 'one' : 'ones'} before it bans this machine.`;
			return `The node refused the password that is configured for it. ${rest} Correct it, then confirm here. Until then nothing is sent to it.`;
		}
	}
}

const SAFE = {
	no: 'The node did not act on the call.',
	maybe: 'The call was sent and no answer came, so it is not known whether the node acted on it.',
	yes: 'The node took the call.'
} as const;

/** Longer words are shown up to here. */
const QUOTED_LETTERS = 300;

function quoted(words: string): string {
	const line = words.trim().replace(/\s+/g, ' ');
	return line.length > QUOTED_LETTERS ? `${line.slice(0, QUOTED_LETTERS)}…` : line;
}

function refused(error: KdfError): { what: string; next: string } {
	const { node, method, refusal } = error;
	const known = refusal === undefined ? null : explainKdfError(method, refusal);
	if (known !== null) return { what: known.what, next: `${TURN_WORDS[known.turn]}: ${known.next}` };
	const words = quoted(refusal?.message ?? '');
	return {
		what:
			words === ''
				? `${node} refused ${method} without giving a reason.`
				: `${node} refused ${method}: ${words}`,
		next: 'Correct what the node names, then try again.'
	};
}

function words(error: KdfError): { what: string; next: string } {
	const { node, method } = error;
	switch (error.code) {
		case 'unreachable':
			return {
				what: `Nothing answers at the address of ${node}.`,
				next: 'Check that the node runs and that rpcip and rpcport are the configured ones.'
			};
		case 'untrusted':
			return {
				what: `${node} shows a certificate that is not trusted here.`,
				next: 'An admin compares its SHA-256 with the node’s own certificate and names it in the configuration (certificateSha256 or certificateFile).'
			};
		case 'timeout':
			return {
				what: `${node} did not answer ${method} in time.`,
				next:
					error.reached === 'no'
						? 'Try again in a moment.'
						: 'Look first whether it has happened; a mere look can be repeated.'
			};
		case 'busy':
			return { what: `Too many calls wait for ${node}.`, next: 'Try again in a moment.' };
		case 'truncated':
			return {
				what: `The answer of ${node} to ${method} broke off.`,
				next: 'Look first whether it has happened; a mere look can be repeated.'
			};
		case 'too-large':
			return {
				what: `The answer of ${node} to ${method} is larger than this console takes.`,
				next: 'Ask for less at once, for example a smaller page.'
			};
		case 'not-a-node':
			return {
				what:
					error.reached === 'maybe' && (error.status ?? 0) >= 500
						? `${node} gave up on ${method} without an answer.`
						: `What answers at the address of ${node} is not a trading node.`,
				next: 'Check the address and port, and whether a proxy stands in between.'
			};
		case 'misfit':
			return {
				what: `${node} answered ${method} in a form that is not known.`,
				next: 'Compare the node’s version with the supported one.'
			};
		case 'refused':
			return refused(error);
		case 'stopped':
			return {
				what:
					error.stop === undefined
						? `${node} refused the configured password, so nothing is sent to it.`
						: stopSentence(error.stop),
				next: 'An admin corrects the password and confirms it on the page of the node.'
			};
		case 'elsewhere':
			return {
				what: `${node} takes calls from its own machine only.`,
				next: 'Set rpc_local_only to false in its settings and let only this machine through to it.'
			};
		case 'switched-off':
			return {
				what: error.why ?? 'An admin has switched this off.',
				next: 'Wait until an admin lifts the switch, then try again.'
			};
		case 'bad-params':
			return {
				what: `The parameters do not fit ${method}${error.why === undefined ? '.' : `: ${error.why}.`}`,
				next: 'Correct the parameters.'
			};
		case 'unknown-node':
			return {
				what: `No trading node called ${node} is configured.`,
				next: 'Choose one of the configured nodes.'
			};
	}
}

/** Sentences for people: what happened, what is safe, what next. They never hold a credential. */
export function explainKdf(error: KdfError): Explanation {
	return { ...words(error), safe: SAFE[error.reached] };
}
