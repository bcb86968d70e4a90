/** Refusals of the methods that build, sign, fund and look up transactions. (Komodo daemon 0.9.0.) */
import type { ErrorText } from './entry.ts';

export const transactionErrors: readonly ErrorText[] = [
	{
		says: 'TX decode failed',
		what: 'The hex is not one whole transaction.',
		turn: 'caller',
		next: 'Paste the complete hex, without anything before or after it.'
	},
	{
		says: /^Invalid parameter, (?:missing vout key|vout must be positive|locktime out of range|expiryheight out of range.*)$/,
		what: 'An input, the lock time or the expiry height is outside what a transaction may have.',
		turn: 'caller',
		next: 'Give each input a txid and an output number from 0, and heights within the chain.'
	},
	{
		says: /^vout must be positive$/,
		what: 'An output number is negative.',
		turn: 'caller',
		next: 'Output numbers begin with 0.'
	},
	{
		says: /^Invalid parameter, duplicated destination: /,
		what: 'One address is paid twice.',
		turn: 'caller',
		next: 'Name each address once, with the sum.'
	},
	{
		says: /^(?:Parameter \d+ is empty|Invalid parameter, duplicated txid: .*)$/,
		what: 'The list of transactions is empty or names one of them twice.',
		turn: 'caller',
		next: 'Name each transaction once.'
	},
	{
		says: /^Invalid Komodo address or script: /,
		what: 'This is neither an address of the chain nor a plain script.',
		turn: 'caller',
		next: 'Check it, or paste it again.'
	},
	{
		says: 'Invalid sighash param',
		what: 'The daemon knows no such way of signing.',
		turn: 'caller',
		next: 'Use ALL unless you know that you need another one.'
	},
	{
		says: /^Invalid private key(?: encoding)?$/,
		what: 'This is not a private key of the chain.',
		turn: 'caller',
		next: 'Check it, or leave it out to sign with the wallet.'
	},
	{
		says: 'Input not found or already spent',
		what: 'An input is not known here or has been spent.',
		turn: 'caller',
		next: 'Give the daemon the transaction it comes from, or build with other inputs.'
	},
	{
		says: 'Insufficient funds',
		what: 'The wallet has not enough confirmed coins, or the inputs that are given do not suffice: funding adds none to them.',
		turn: 'caller',
		next: 'Use less, give more inputs or none, or wait until coins on their way are in a block.'
	},
	{
		says: 'Transaction amounts must be positive',
		what: 'The transaction pays nothing, or less.',
		turn: 'caller',
		next: 'Give an amount above zero.'
	},
	{
		says: 'Transaction amount too small',
		what: 'An output is too small for nodes to relay it.',
		turn: 'caller',
		next: 'Pay more to it.'
	},
	{
		says: /^(?:Signing transaction failed|Error: Wallet is locked.*)$/,
		what: 'The wallet could not sign.',
		turn: 'operator',
		next: 'See that the wallet is unlocked and holds the keys.'
	},
	{
		says: 'Invalid or non-wallet transaction id',
		what: 'The wallet of this daemon has no such transaction, or not yet.',
		turn: 'caller',
		next: 'Right after a send wait a second. For a transaction of somebody else ask getrawtransaction.'
	},
	{
		says: 'Transaction not yet in block',
		what: 'The transaction waits for a block, or the daemon does not know it.',
		turn: 'chain',
		next: 'Ask again after the next block.'
	},
	{
		says: 'proof decode failed',
		what: 'The proof cannot be read to its end.',
		turn: 'caller',
		next: 'Paste the complete hex that gettxoutproof gave.'
	}
];
