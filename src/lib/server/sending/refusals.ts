/** Why a transaction was refused on sending: what happened, and what to do. (Komodo daemon 0.9.0.) */
import type { UpstreamError } from '../gateway/types.ts';

const WORDS: readonly (readonly [start: string, sentence: string])[] = [
	[
		'64: scriptpubkey',
		'The nodes of this chain relay only small payloads, and this one is too large for them (or the chain knows no token scripts). Shorten the description, or start the daemons with datacarriersize=10001.'
	],
	['64: dust', 'An output is too small for the nodes to relay it.'],
	[
		'16: mempool conflict',
		'Another transaction that waits for a block spends the same coins. Wait for the next block and build it again.'
	],
	[
		'16: mandatory-script-verify-flag-failed',
		'The chain refused a signature or a token rule. Build it again; if it is refused once more, the token cannot be moved like this.'
	],
	['16: tx-overwinter-expired', 'Too many blocks went by since it was built. Build it again.'],
	['16: bad-txns-in-belowout', 'It would pay more than it spends. Build it again.'],
	['18: bad-txns-inputs-spent', 'Its coins were spent in the meantime. Build it again.'],
	[
		'Missing inputs',
		'Its coins were spent in the meantime, or this is another chain. Build it again.'
	],
	['AcceptToMemoryPool: absurdly high fees', 'Its fee is absurdly high.']
];

/** The refusal as a sentence; unknown words are shown as they are. */
export function explainRefusal(error: UpstreamError): string {
	const words = (error.rpcMessage ?? error.message).trim();
	const known = WORDS.find(([start]) => words.startsWith(start));
	if (known) return `${known[1]} The daemon said: ${words}`;
	return words === ''
		? 'The daemon refused it without a reason. An unsigned transaction is refused like that.'
		: `The daemon refused it: ${words}`;
}
