import type { TokenErrorCode } from '#lib/rpc/errors/tokens.ts';
import type { ErrorWords } from './words.ts';

export const tokens = {
	'tokens.not-set-up': {
		what: 'The daemon is not set up for tokens: it has no pubkey, lacks the address index or spent index, or tokens are disabled.',
		next: 'Start it with pubkey, addressindex=1 and spentindex=1 (a reindex follows), on a chain with ac_cc.'
	},
	'tokens.pubkey-set': {
		what: 'The daemon’s pubkey is already set.',
		next: 'Restart the daemon to use another pubkey.'
	},
	'tokens.pubkey-invalid': {
		what: 'This is not a public key.',
		next: 'Enter a compressed public key of 66 hexadecimal digits.'
	},
	'tokens.name-length': {
		what: 'The name is empty or longer than 32 bytes.',
		next: 'Choose a name of 1 to 32 bytes. A character outside ASCII takes more than one byte.'
	},
	'tokens.supply-not-positive': {
		what: 'The supply is zero, negative or not a number.',
		next: 'Enter a supply of at least 0.00000001 coins; each satoshi becomes one base unit.'
	},
	'tokens.description-too-long': {
		what: 'The description is longer than 4\u202f096 bytes.',
		next: 'Shorten the description.'
	},
	'tokens.data-too-long': {
		what: 'The data of the token is larger than 10\u202f001 bytes.',
		next: 'Shorten the data, or publish it elsewhere and store its hash here.'
	},
	'tokens.data-not-hex': {
		what: 'The data of the token is empty or not hexadecimal.',
		next: 'Enter an even number of hex digits, 0 to 9 and a to f.'
	},
	'tokens.data-supply': {
		what: 'A token with data is an NFT, so its supply must be exactly one base unit.',
		next: 'Set the supply to exactly 0.00000001 coins.'
	},
	'tokens.creation-funds': {
		what: 'The address of the daemon’s key does not have enough confirmed coins for the supply plus 0.0002 in at most 64 outputs.',
		next: 'Send coins to that address, or consolidate its UTXOs, and wait for a block.'
	},
	'tokens.other-keys': {
		what: 'Coins of other keys were selected to pay for the token.',
		next: 'Send enough coins to the address of the daemon’s key, then try again.'
	},
	'tokens.not-signed': {
		what: 'The transaction could not be built or signed; the daemon gives no reason.',
		next: 'Check that the wallet is unlocked and holds the key of -pubkey.'
	},
	'tokens.unknown': {
		what: 'The chain does not know a token with this ID.',
		next: 'Check the token ID and the chain. A token exists once its creation is confirmed.'
	},
	'tokens.creation-pending': {
		what: 'The creation of the token is not confirmed yet.',
		next: 'Try again after the next block.'
	},
	'tokens.not-a-creation': {
		what: 'This transaction exists but did not create a token.',
		next: 'Use the txid of the token’s creation, not of a transfer.'
	},
	'tokens.id-invalid': {
		what: 'The token ID does not have 64 hex digits, or is all zeros.',
		next: 'Paste the complete token ID.'
	},
	'tokens.amount-not-positive': {
		what: 'The number of base units is zero, negative or not a number.',
		next: 'Enter at least one base unit; fractions are cut off.'
	},
	'tokens.fee-funds': {
		what: 'The wallet does not have 0.0001 coins for the fee in at most 3 outputs.',
		next: 'Send coins to the wallet, or consolidate its UTXOs.'
	},
	'tokens.no-inputs': {
		what: 'The daemon’s key has no confirmed base units of this token.',
		next: 'If some are on their way, wait for a block; otherwise use the daemon that holds them.'
	},
	'tokens.too-few-inputs': {
		what: 'The daemon’s key has fewer confirmed base units in 60 outputs than requested.',
		next: 'Send fewer, wait for those on their way, or send some to yourself first to consolidate them.'
	}
} as const satisfies Record<TokenErrorCode, ErrorWords>;
