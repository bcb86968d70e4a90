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
	'transactions.branch-unknown': {
		what: 'The daemon does not know this consensus branch.',
		next: 'Leave the branch ID out to sign for the next block.'
	},
	'transactions.other-script': {
		what: 'A given output has another script than the one that the daemon knows.',
		next: 'Correct the script, or leave the output out: the daemon knows it.'
	},
	'transactions.multisig': {
		what: 'No address can be made of these keys.',
		next: 'Give at most 16 valid public keys, or addresses of the wallet, and no higher number of signatures than keys.'
	},
	'transactions.no-module-data': {
		what: 'The script holds no data of a module.',
		next: 'Paste the complete script of a data output.'
	},
	'transactions.private-chain': {
		what: 'On this private chain only shielded addresses can be paid.',
		next: 'Pay a shielded address with z_sendmany.'
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
	'transactions.funds-unshielded': {
		what: 'The wallet holds mined coins that have to be sent to a shielded address first.',
		next: 'Shield them with z_shieldcoinbase, then try again.'
	},
	'transactions.amount-not-positive': {
		what: 'The transaction pays zero or less.',
		next: 'Enter an amount above zero.'
	},
	'transactions.output-too-small': {
		what: 'An output is too small to be relayed.',
		next: 'Increase the output.'
	},
	'transactions.too-large': {
		what: 'The transaction would be too large.',
		next: 'Send less at once, or consolidate UTXOs first.'
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
	'transactions.other-block': {
		what: 'The block does not hold all of the transactions.',
		next: 'Ask for the transactions of one block at a time, or leave the block out for one transaction.'
	},
	'transactions.proof-unreadable': {
		what: 'The proof is incomplete.',
		next: 'Paste the complete hex that gettxoutproof returned.'
	}
} as const satisfies Record<TransactionErrorCode, ErrorWords>;
