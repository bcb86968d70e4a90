/** Refusals of the methods that build, sign, fund and look up transactions. (Komodo daemon 0.9.0.) */
import type { ErrorPattern } from './entry.ts';

export const transactionErrors = [
	{ code: 'transactions.hex-unreadable', says: 'TX decode failed', turn: 'caller' },
	{
		code: 'transactions.input-out-of-range',
		says: /^Invalid parameter, (?:missing vout key|vout must be positive|locktime out of range|expiryheight out of range.*)$/,
		turn: 'caller'
	},
	{ code: 'transactions.output-negative', says: /^vout must be positive$/, turn: 'caller' },
	{
		code: 'transactions.address-twice',
		says: /^Invalid parameter, duplicated destination: /,
		turn: 'caller'
	},
	{
		code: 'transactions.txid-twice',
		says: /^(?:Parameter \d+ is empty|Invalid parameter, duplicated txid: .*)$/,
		turn: 'caller'
	},
	{
		code: 'transactions.address-or-script',
		says: /^Invalid Komodo address or script: /,
		turn: 'caller'
	},
	{ code: 'transactions.sighash-unknown', says: 'Invalid sighash param', turn: 'caller' },
	{ code: 'transactions.private-key', says: /^Invalid private key(?: encoding)?$/, turn: 'caller' },
	{ code: 'transactions.input-unknown', says: 'Input not found or already spent', turn: 'caller' },
	{ code: 'transactions.funds', says: 'Insufficient funds', turn: 'caller' },
	{
		code: 'transactions.amount-not-positive',
		says: 'Transaction amounts must be positive',
		turn: 'caller'
	},
	{ code: 'transactions.output-too-small', says: 'Transaction amount too small', turn: 'caller' },
	{
		code: 'transactions.not-signed',
		says: /^(?:Signing transaction failed|Error: Wallet is locked.*)$/,
		turn: 'operator'
	},
	{
		// The wallet stores what it made before its mempool is asked.
		code: 'transactions.kept-by-wallet',
		says: /^Error: The transaction was rejected! This might happen if some of the coins in your wallet were already spent/,
		of: ['sendtoaddress', 'kvupdate'],
		turn: 'caller'
	},
	{
		code: 'transactions.not-of-wallet',
		says: 'Invalid or non-wallet transaction id',
		turn: 'caller'
	},
	{ code: 'transactions.pending', says: 'Transaction not yet in block', turn: 'chain' },
	{ code: 'transactions.proof-unreadable', says: 'proof decode failed', turn: 'caller' }
] as const satisfies readonly ErrorPattern[];

export type TransactionErrorCode = (typeof transactionErrors)[number]['code'];
