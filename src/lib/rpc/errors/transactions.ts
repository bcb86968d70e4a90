/** Errors of the methods that build, sign, fund and look up transactions. (Komodo daemon 0.9.0.) */
import type { ErrorPattern } from './entry.ts';

export const transactionErrors = [
	{ code: 'transactions.hex-unreadable', says: 'TX decode failed', turn: 'caller' },
	{
		code: 'transactions.input-out-of-range',
		says: /^Invalid parameter, (?:missing vout key|vout must be positive|locktime out of range|expiryheight (?:out of range.*|must be nonnegative .*|can only be used if Overwinter .*)|arguments 1 and 2 must be non-null)$/,
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
		says: /^Invalid (?:Komodo address or )?script(?:: |$)/,
		turn: 'caller'
	},
	{ code: 'transactions.sighash-unknown', says: 'Invalid sighash param', turn: 'caller' },
	{
		code: 'transactions.branch-unknown',
		says: /^\S+ is not a valid consensus branch id$/,
		turn: 'caller'
	},
	{
		code: 'transactions.other-script',
		says: /^Previous output scriptPubKey mismatch:/,
		turn: 'caller'
	},
	{
		code: 'transactions.multisig',
		says: /^(?:a multisignature address must require|not enough keys supplied|Number of addresses involved|no full public key for address|Invalid public key: |redeemScript exceeds size limit|\S+ does not refer to a key$)/,
		of: ['createmultisig'],
		turn: 'caller'
	},
	{ code: 'transactions.no-module-data', says: /^invalid or no CC opret data/, turn: 'caller' },
	{
		// On chains with ac_private, only notaries can be paid to a transparent address.
		code: 'transactions.private-chain',
		says: /^Invalid (?!Komodo )\S+ address$/,
		of: ['sendtoaddress'],
		turn: 'caller'
	},
	{ code: 'transactions.private-key', says: /^Invalid private key(?: encoding)?$/, turn: 'caller' },
	{ code: 'transactions.input-unknown', says: 'Input not found or already spent', turn: 'caller' },
	{
		code: 'transactions.funds',
		says: /^(?:Insufficient funds$|Error: This transaction requires a transaction fee of at least )/,
		turn: 'caller'
	},
	{
		code: 'transactions.funds-unshielded',
		says: /^(?:Coinbase funds can only be sent to a zaddr|Insufficient funds, coinbase funds can only be spent after they have been sent to a zaddr)$/,
		turn: 'caller'
	},
	{
		code: 'transactions.amount-not-positive',
		says: /^(?:Transaction amounts must be positive|Invalid amount for send)$/,
		turn: 'caller'
	},
	{
		code: 'transactions.output-too-small',
		says: /^(?:Transaction amount too small|The transaction amount is too small to (?:pay the fee|send after the fee has been deducted))$/,
		turn: 'caller'
	},
	{
		code: 'transactions.too-large',
		says: /^(?:Transaction too large(?: for fee policy)?|Too many transparent inputs \d+ > limit \d+)$/,
		turn: 'caller'
	},
	{
		code: 'transactions.not-signed',
		says: /^(?:Signing transaction failed|Sign failed|Error: Wallet is locked.*)$/,
		turn: 'operator'
	},
	{
		// The wallet stores the transaction before it submits it to the mempool, and keeps it when that
		// fails.
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
	{
		code: 'transactions.other-block',
		says: '(Not all) transactions not found in specified block',
		turn: 'caller'
	},
	{ code: 'transactions.proof-unreadable', says: 'proof decode failed', turn: 'caller' }
] as const satisfies readonly ErrorPattern[];

export type TransactionErrorCode = (typeof transactionErrors)[number]['code'];
