import type { BroadcastErrorCode } from '#lib/rpc/errors/broadcast.ts';
import type { ErrorWords } from './words.ts';

export const broadcast = {
	'broadcast.no-reason': {
		what: 'The daemon gives no reason. This is how it rejects an unsigned transaction.',
		next: 'Build the transaction again and sign it.',
		buildsAnother: true
	},
	'broadcast.import-not-accepted': {
		what: 'The chain rejected the import without a reason. Most often it does not know the proof’s root yet.',
		next: 'If the proof comes from notarizations, wait for the destination’s next notarization. Otherwise check the proof here: it names the part that fails.'
	},
	'broadcast.token-signature-malformed': {
		what: 'The signature of a token input is malformed.',
		next: 'Build the transaction again. If it is rejected once more, the wallet cannot transfer this token.',
		buildsAnother: true
	},
	'broadcast.script-failed': {
		what: 'The chain rejected a signature or a token rule.',
		next: 'Build the transaction again. If it is rejected once more, the token cannot be transferred this way.',
		buildsAnother: true
	},
	'broadcast.pays-more-than-spends': {
		what: 'The outputs are worth more than the inputs.',
		next: 'Build the transaction again.',
		buildsAnother: true
	},
	'broadcast.coinbase-immature': {
		what: 'The transaction spends a block reward that is too young.',
		next: 'Wait until the reward can be spent, after 100 blocks on KMD and on most other chains after one, or spend other coins.'
	},
	'broadcast.coinbase-shielded-only': {
		what: 'The transaction spends a block reward, which this chain allows only to a shielded address.',
		next: 'Spend other coins, or shield the reward first.'
	},
	'broadcast.locktime-too-old': {
		what: 'The lock time is too old: KMD accepts a transaction for some 47 minutes from it.',
		next: 'Build the transaction again, and send it within half an hour.',
		buildsAnother: true
	},
	'broadcast.data-too-large': {
		what: 'The data of an output is larger than 10\u202f001 bytes.',
		next: 'Shorten the data.'
	},
	'broadcast.malformed': {
		what: 'The transaction is malformed: its inputs, outputs or size break the rules of every chain.',
		next: 'Build the transaction again, and compare its inputs and outputs with what you intended.',
		buildsAnother: true
	},
	'broadcast.shielded-invalid': {
		what: 'A shielded part of the transaction is invalid, or was spent in the meantime.',
		next: 'Build the transaction again.',
		buildsAnother: true
	},
	'broadcast.privacy-rule': {
		what: 'The chain does not accept this kind of payment: some chains accept no shielded ones, others no transparent ones.',
		next: 'Pay from and to the kind of address that the chain accepts.'
	},
	'broadcast.expiry-too-high': {
		what: 'The expiry height is out of range.',
		next: 'Build the transaction with an expiry height near the tip.',
		buildsAnother: true
	},
	'broadcast.expired': {
		what: 'The transaction has expired: too many blocks were mined since it was built.',
		next: 'Build the transaction again.',
		buildsAnother: true
	},
	'broadcast.version-not-active': {
		what: 'The chain does not accept this transaction version at its current height.',
		next: 'Wait until Sapling is active on this chain (for an import, also on KMD), then build the transaction again.',
		buildsAnother: true
	},
	'broadcast.import-script-length': {
		what: 'The script of an import input has the wrong length.',
		next: 'Use the import exactly as the daemon built it.'
	},
	'broadcast.amount-too-large': {
		what: 'An amount is larger than a chain can hold.',
		next: 'Use a smaller amount.'
	},
	'broadcast.mempool-conflict': {
		what: 'Another transaction in the mempool spends the same inputs.',
		next: 'Wait for the next block, then build the transaction again.',
		buildsAnother: true
	},
	'broadcast.already-imported': {
		what: 'The burn has already been imported here, or this is the burn’s own chain.',
		next: 'First look for the import on the destination chain. Send an import only there.'
	},
	'broadcast.already-have-coins': {
		what: 'The transaction is already confirmed.',
		next: 'Look it up by its txid; nothing needs to be sent.'
	},
	'broadcast.inputs-spent': {
		what: 'The inputs were spent in the meantime.',
		next: 'Build the transaction again.',
		buildsAnother: true
	},
	'broadcast.script-not-relayed': {
		what: 'The payload is too large for the daemons of this chain to relay, or the chain does not know token scripts.',
		next: 'Shorten the description, or start the daemons with datacarriersize=10001.'
	},
	'broadcast.dust': {
		what: 'An output is too small to be relayed.',
		next: 'Increase the output, or leave it out.'
	},
	'broadcast.several-data-outputs': {
		what: 'The transaction has more than one data output; daemons relay only one.',
		next: 'Build the transaction with one data output, the last.',
		buildsAnother: true
	},
	'broadcast.script-not-standard': {
		what: 'The transaction uses a kind of script that daemons do not relay.',
		next: 'Build it with standard outputs and signatures.',
		buildsAnother: true
	},
	'broadcast.not-final': {
		what: 'The lock time is in the future.',
		next: 'Wait until then, or build the transaction without a lock time.',
		buildsAnother: true
	},
	'broadcast.version-not-relayed': {
		what: 'Daemons do not relay transactions of this version.',
		next: 'Build the transaction again.',
		buildsAnother: true
	},
	'broadcast.fee-too-low': {
		what: 'The fee is too low for the daemons.',
		next: 'Build the transaction with a higher fee.',
		buildsAnother: true
	},
	'broadcast.inputs-missing': {
		what: 'The inputs were spent in the meantime, or this is another chain.',
		next: 'Check that the daemon serves the right chain and that the previous transaction was sent; otherwise build the transaction again.',
		buildsAnother: true
	},
	'broadcast.fee-absurd': {
		what: 'The fee is absurdly high.',
		next: 'Check the outputs. If the fee is intended, send with allowhighfees.'
	},
	'broadcast.already-confirmed': {
		what: 'The transaction is already confirmed.',
		next: 'Nothing needs to be sent. Look the transaction up by its txid.'
	}
} as const satisfies Record<BroadcastErrorCode, ErrorWords>;
