/** Refusals of the token methods. (Komodo daemon 0.9.0.) */
import type { ErrorText } from './entry.ts';

export const tokenErrors: readonly ErrorText[] = [
	{
		says: 'to use CC contracts, you need to launch daemon with valid -pubkey= for an address in your wallet',
		what: 'The daemon is not set up for tokens: it lacks a pubkey of its own, an address or spent index, or tokens are switched off.',
		turn: 'operator',
		next: 'Start it with pubkey, addressindex=1 and spentindex=1 (a reindex follows), on a chain with ac_cc.'
	},
	{
		says: 'Can only set pubkey once, to change it you need to restart your daemon.',
		what: 'The daemon has its pubkey already.',
		turn: 'operator',
		next: 'Restart it to use another one.'
	},
	{
		says: 'Token name must not be empty and up to 32 characters',
		what: 'The name is empty or has more than 32 bytes.',
		turn: 'caller',
		next: 'Choose a name of 1 to 32 bytes; a letter outside ASCII takes more than one.'
	},
	{
		says: 'Token supply must be positive',
		what: 'The supply is zero, negative or not a number.',
		turn: 'caller',
		next: 'Give a supply of at least 0.00000001 coins, one unit for each satoshi.'
	},
	{
		says: 'Token description must be <= 4096 characters',
		what: 'The description has more than 4096 bytes.',
		turn: 'caller',
		next: 'Shorten it.'
	},
	{
		says: 'Non-fungible data size must be <= 10001',
		what: 'The data of the token has more than 10001 bytes.',
		turn: 'caller',
		next: 'Shorten it; publish large content elsewhere and put its hash here.'
	},
	{
		says: 'Non-fungible data incorrect',
		what: 'The data of the token is empty or not hexadecimal.',
		turn: 'caller',
		next: 'Give an even number of the digits 0 to 9 and a to f.'
	},
	{
		says: 'for non-fungible tokens tokensupply should be equal to 1',
		what: 'A token with data is one of a kind, and another supply than one unit was asked for.',
		turn: 'caller',
		next: 'Set the supply to exactly 0.00000001 coins.'
	},
	{
		says: 'cant find normal inputs',
		of: ['tokencreate'],
		what: 'The address of the daemon’s own key has not enough confirmed coins for the supply and 0.0002 more, in at most 64 outputs.',
		turn: 'caller',
		next: 'Send coins to that address, or merge its small outputs, and wait for a block.'
	},
	{
		says: 'some inputs signed not with -pubkey=pk',
		what: 'Coins of other keys were chosen to pay for the token.',
		turn: 'operator',
		next: 'Send enough coins to the address of the daemon’s own key, then try again.'
	},
	{
		says: '',
		of: ['tokencreate', 'tokentransfer'],
		what: 'The transaction could not be signed or put together; the daemon gives no reason.',
		turn: 'operator',
		next: 'See that the wallet is unlocked and holds the key of -pubkey.'
	},
	{
		says: 'cant find tokenid',
		what: 'The chain knows no token with this id.',
		turn: 'caller',
		next: 'Check the id and the chain. A token exists once its creation is in a block.'
	},
	{
		says: 'the transaction is still in mempool',
		what: 'The creation of the token waits for a block.',
		turn: 'chain',
		next: 'Ask again after the next block.'
	},
	{
		says: 'tokenid isnt token creation txid',
		what: 'This transaction exists, and it created no token.',
		turn: 'caller',
		next: 'Use the txid of the creation, not that of a transfer.'
	},
	{
		says: 'invalid tokenid',
		what: 'The token id has not 64 digits, or is zero.',
		turn: 'caller',
		next: 'Paste the whole id.'
	},
	{
		says: 'amount must be positive',
		what: 'The number of units is zero, negative or not a number.',
		turn: 'caller',
		next: 'Give at least one unit; fractions are cut off.'
	},
	{
		says: 'insufficient normal inputs for tx fee',
		what: 'The wallet lacks 0.0001 coins for the fee in at most 3 outputs.',
		turn: 'caller',
		next: 'Send the wallet some coins, or merge its small outputs.'
	},
	{
		says: 'no token inputs',
		what: 'The daemon’s own key has no confirmed units of this token.',
		turn: 'caller',
		next: 'Wait for a block when units are on their way; else use the daemon that holds them.'
	},
	{
		says: 'insufficient token inputs',
		what: 'The daemon’s own key has fewer confirmed units than asked for, within 60 outputs.',
		turn: 'caller',
		next: 'Send fewer units, wait for units on their way, or first send some to yourself to merge outputs.'
	}
];
