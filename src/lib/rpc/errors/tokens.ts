/** Errors of the token methods. (Komodo daemon 0.9.0.) */
import type { ErrorPattern } from './entry.ts';

export const tokenErrors = [
	{
		code: 'tokens.not-set-up',
		says: 'to use CC contracts, you need to launch daemon with valid -pubkey= for an address in your wallet',
		turn: 'operator'
	},
	{
		code: 'tokens.pubkey-set',
		says: 'Can only set pubkey once, to change it you need to restart your daemon.',
		turn: 'operator'
	},
	{
		code: 'tokens.pubkey-invalid',
		says: /^pubkey (?:entered is invalid|is wrong length, must be 66 char hex string)\.$/,
		turn: 'caller'
	},
	{
		code: 'tokens.name-length',
		says: 'Token name must not be empty and up to 32 characters',
		turn: 'caller'
	},
	{ code: 'tokens.supply-not-positive', says: 'Token supply must be positive', turn: 'caller' },
	{
		code: 'tokens.description-too-long',
		says: 'Token description must be <= 4096 characters',
		turn: 'caller'
	},
	{ code: 'tokens.data-too-long', says: 'Non-fungible data size must be <= 10001', turn: 'caller' },
	{ code: 'tokens.data-not-hex', says: 'Non-fungible data incorrect', turn: 'caller' },
	{
		code: 'tokens.data-supply',
		says: 'for non-fungible tokens tokensupply should be equal to 1',
		turn: 'caller'
	},
	{
		code: 'tokens.creation-funds',
		says: 'cant find normal inputs',
		of: ['tokencreate'],
		turn: 'caller'
	},
	{ code: 'tokens.other-keys', says: 'some inputs signed not with -pubkey=pk', turn: 'operator' },
	{ code: 'tokens.not-signed', says: '', of: ['tokencreate', 'tokentransfer'], turn: 'operator' },
	{ code: 'tokens.unknown', says: 'cant find tokenid', turn: 'caller' },
	{ code: 'tokens.creation-pending', says: 'the transaction is still in mempool', turn: 'chain' },
	{ code: 'tokens.not-a-creation', says: 'tokenid isnt token creation txid', turn: 'caller' },
	{ code: 'tokens.id-invalid', says: 'invalid tokenid', turn: 'caller' },
	{ code: 'tokens.amount-not-positive', says: 'amount must be positive', turn: 'caller' },
	{ code: 'tokens.fee-funds', says: 'insufficient normal inputs for tx fee', turn: 'caller' },
	{ code: 'tokens.no-inputs', says: 'no token inputs', turn: 'caller' },
	{ code: 'tokens.too-few-inputs', says: 'insufficient token inputs', turn: 'caller' }
] as const satisfies readonly ErrorPattern[];

export type TokenErrorCode = (typeof tokenErrors)[number]['code'];
