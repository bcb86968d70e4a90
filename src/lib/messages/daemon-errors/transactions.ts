import type { TransactionErrorCode } from '#lib/rpc/errors/transactions.ts';
import type { ErrorWords } from './words.ts';

export const transactions = {
	'transactions.hex-unreadable': {
		what: 'The hex is not one complete transaction.',
		next: 'Paste the complete hex, without anything before or after it.'
	},
	'transactions.input-out-of-range': {
		what: 'An input, the lock time or the expiry height is outside the valid range.',
		next: 'Give each input a txid and an output index from 0, and heights within the chain.'
	},
	'transactions.output-negative': {
		what: 'An output index is negative.',
		next: 'Output indexes start at 0.'
	},
	'transactions.address-twice': {
		what: 'One address is paid twice.',
		next: 'List each address once, with the total.'
	},
	'transactions.txid-twice': {
		what: 'The list of transactions is empty or has a duplicate.',
		next: 'List each transaction once.'
	},
	'transactions.address-or-script': {
		what: 'This is neither an address of the chain nor a standard script.',
		next: 'Check it, or paste it again.'
	},
	'transactions.sighash-unknown': {
		what: 'The daemon does not know this signature hash type.',
		next: 'Use ALL unless you need another type.'
	},
	'transactions.private-key': {
		what: 'This is not a private key of the chain.',
		next: 'Check the key, or leave it out to sign with the wallet.'
	},
	'transactions.input-unknown': {
		what: 'An input is unknown here or already spent.',
		next: 'Pass the transaction that it comes from, or build with other inputs.'
	},
	'transactions.funds': {
		what: 'The wallet does not have enough confirmed coins, or the given inputs are too small: funding adds none to them.',
		next: 'Use less, give more inputs or none, or wait until incoming coins are confirmed.'
	},
	'transactions.amount-not-positive': {
		what: 'The transaction pays zero or less.',
		next: 'Enter an amount above zero.'
	},
	'transactions.output-too-small': {
		what: 'An output is too small to be relayed.',
		next: 'Increase the output.'
	},
	'transactions.not-signed': {
		what: 'The wallet could not sign.',
		next: 'Check that the wallet is unlocked and holds the keys.'
	},
	'transactions.kept-by-wallet': {
		what: 'The mempool rejected the transaction, and the wallet keeps it: the daemon may send it again by itself.',
		next: 'Look for it with listtransactions before you pay again: both payments could be confirmed.'
	},
	'transactions.not-of-wallet': {
		what: 'This daemon’s wallet does not have this transaction, or not yet.',
		next: 'Right after a send, wait a second. For other transactions use getrawtransaction.'
	},
	'transactions.pending': {
		what: 'The transaction is not confirmed yet, or the daemon does not know it.',
		next: 'Try again after the next block.'
	},
	'transactions.proof-unreadable': {
		what: 'The proof is incomplete.',
		next: 'Paste the complete hex that gettxoutproof returned.'
	}
} as const satisfies Record<TransactionErrorCode, ErrorWords>;
