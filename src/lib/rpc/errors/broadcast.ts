/**
 * Refusals of `sendrawtransaction`: the class of the refusal, a colon and the reason; some end with what
 * the script said in brackets. (Komodo daemon 0.9.0.)
 */
import type { ErrorText, Turn } from './entry.ts';

const row = (says: string | RegExp, what: string, turn: Turn, next: string): ErrorText => ({
	says,
	of: ['sendrawtransaction'],
	what,
	turn,
	next
});

const AGAIN = 'Build it again.';

export const broadcastErrors: readonly ErrorText[] = [
	row(
		'',
		'The daemon gives no reason. An unsigned transaction is refused like that.',
		'caller',
		'Sign the transaction, then send it.'
	),
	row(
		/^(?:0: )?invalid-coin-import$/,
		'The chain does not accept the import, and keeps the reason to itself: most often it does not know the proof’s root yet.',
		'notaries',
		'On the notarized route wait for the next notarization of the destination. Otherwise look at the proof here, which names the part that fails.'
	),
	row(
		/^(?:\d+: )?mandatory-script-verify-flag-failed \(Crypto-Condition payload is invalid\)$/,
		'The signature of a token input is malformed.',
		'caller',
		`${AGAIN} If it is refused once more, the wallet cannot move this token.`
	),
	row(
		/^(?:\d+: )?(?:non-)?mandatory-script-verify-flag(?:-failed)?\b.*$/,
		'The chain refused a signature or a token rule.',
		'caller',
		`${AGAIN} If it is refused once more, the token cannot be moved like this.`
	),
	row(/^(?:\d+: )?bad-txns-in-belowout$/, 'It would pay more than it spends.', 'caller', AGAIN),
	row(
		/^(?:\d+: )?bad-txns-premature-spend-of-coinbase$/,
		'It spends a block reward that is too young.',
		'chain',
		'Wait until the reward has 100 blocks on top of it, or spend other coins.'
	),
	row(
		/^(?:\d+: )?bad-txns-opret-too-big$/,
		'The data of an output is larger than 10001 bytes.',
		'caller',
		'Shorten it.'
	),
	row(
		/^(?:\d+: )?bad-txns-(?:vin-empty|vout-empty|inputs-duplicate|oversize|txouttotal-toolarge|vout-negative|vout-toolarge|prevout-null|fee-\w+|inputvalues-outofrange)$/,
		'The transaction is not well formed: its inputs, outputs or size break the rules of every chain.',
		'caller',
		'Build it again, and compare its inputs and outputs with what you wanted.'
	),
	row(
		/^(?:\d+: )?tx-overwinter-expired$/,
		'Too many blocks went by since it was built.',
		'caller',
		AGAIN
	),
	row(
		/^(?:\d+: )?(?:tx-overwinter-not-active|tx-overwinter-active|tx-overwintered-flag-not-set|bad-sapling-tx-version-group-id|bad-overwinter-tx-version-group-id|bad-tx-(?:sapling|overwinter)-version-too-(?:low|high))$/,
		'The transaction has another version than the chain takes at this height.',
		'operator',
		'Wait until Sapling is active on this chain (and on KMD, for an import), then build it again.'
	),
	row(
		/^(?:\d+: )?bad-cb-length$/,
		'The script of an import’s input has a wrong length.',
		'caller',
		'Take the import as the daemon built it.'
	),
	row(
		/^(?:\d+: )?tx valueout is too big$/,
		'An amount is above what a chain can hold.',
		'caller',
		'Use a smaller amount.'
	),
	row(
		/^(?:\d+: )?mempool conflict$/,
		'Another transaction that waits for a block spends the same coins.',
		'chain',
		'Wait for the next block and build it again.'
	),
	row(
		/^(?:\d+: )?import tombstone exists$/,
		'The burn counts as imported here, or this is the burn’s own chain.',
		'caller',
		'Look for the import on the destination chain before anything else, and send an import only there.'
	),
	row(
		/^(?:\d+: )?already have coins$/,
		'The transaction is in the chain already.',
		'caller',
		'Look it up by its id; nothing needs to be sent.'
	),
	row(
		/^(?:\d+: )?bad-txns-inputs-spent$/,
		'Its coins were spent in the meantime.',
		'caller',
		AGAIN
	),
	row(
		/^(?:\d+: )?scriptpubkey$/,
		'The nodes of this chain relay only small payloads, and this one is too large for them (or the chain knows no token scripts).',
		'operator',
		'Shorten the description, or start the daemons with datacarriersize=10001.'
	),
	row(
		/^(?:\d+: )?dust$/,
		'An output is too small for the nodes to relay it.',
		'caller',
		'Pay more to it, or leave it out.'
	),
	row(
		/^(?:\d+: )?multi-op-return$/,
		'It has more than one data output, and nodes relay only one.',
		'caller',
		'Build it with one data output, the last.'
	),
	row(
		/^(?:\d+: )?(?:bare-multisig|scriptsig-size|scriptsig-not-pushonly)$/,
		'It uses a kind of script that nodes do not relay.',
		'caller',
		'Build it with plain outputs and signatures.'
	),
	row(
		/^(?:\d+: )?non-final$/,
		'Its lock time lies in the future.',
		'chain',
		'Wait until then, or build it without a lock time.'
	),
	row(
		/^(?:\d+: )?(?:version|overwinter-version|sapling-version)$/,
		'Nodes do not relay transactions of this version.',
		'caller',
		AGAIN
	),
	row(
		/^(?:\d+: )?(?:insufficient (?:priority|fee)|rate limited free transaction|min relay fee not met|mempool min fee not met)\b.*$/,
		'Its fee is too small for the nodes.',
		'caller',
		'Build it with a larger fee.'
	),
	row(
		/^Missing inputs$/i,
		'Its coins were spent in the meantime, or this is another chain.',
		'caller',
		'See that the daemon serves the right chain and that the transaction before it was sent; else build it again.'
	),
	row(
		/^AcceptToMemoryPool: absurdly high fees\b.*$/,
		'Its fee is absurdly high.',
		'caller',
		'Check the outputs. Only when the fee is meant to be so high, send it with allowhighfees.'
	),
	row(
		'transaction already in block chain',
		'The transaction is in the chain already.',
		'nobody',
		'That is what you wanted: look it up by its id.'
	)
];
