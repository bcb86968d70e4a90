/** Texts about a public key as the holder of a token. */

/** Why a text is not a public key, by code. */
export type PubkeyFault =
	| { readonly code: 'address' | 'notHex' | 'prefix' | 'notOnCurve' }
	/** `digits`: the number of digits that it has. */
	| { readonly code: 'length'; readonly digits: number };

const PUBKEY_FAULTS = {
	address: 'This is an address. Enter a public key: 66 hex digits that start with 02 or 03.',
	notHex: 'A public key has hex digits only: 0 to 9 and a to f.',
	prefix: 'A compressed public key starts with 02 or 03.',
	notOnCurve: 'Invalid public key: not a point on the curve. A digit may be wrong.'
} as const;

export const pubkeyFaultMessage = (fault: PubkeyFault): string =>
	fault.code === 'length'
		? `A public key has 66 hex digits; this has ${fault.digits}.`
		: PUBKEY_FAULTS[fault.code];

/** Addresses that are derived from a public key, or belong to the tokens module. */
export type HolderAddress =
	'key-tokens' | 'wallet-tokens' | 'wallet-coins' | 'markers' | 'module-coins';

export const holderAddresses: Readonly<Record<HolderAddress, { label: string; hint: string }>> = {
	'key-tokens': {
		label: 'Token address of this key',
		hint: 'Holds tokens of all kinds: one satoshi for each base unit.'
	},
	'wallet-tokens': { label: 'Token address of the wallet', hint: 'Of the key of this daemon.' },
	'wallet-coins': {
		label: 'Coin address of the wallet',
		hint: 'Ordinary coins of the key of this daemon.'
	},
	markers: {
		label: 'Marker address of all tokens',
		hint: 'One marker of 0.0001 for each token that was created.'
	},
	'module-coins': {
		label: 'Coin address of the token module',
		hint: 'Used by an older form of tokens.'
	}
};
