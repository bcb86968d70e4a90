/** Texts of the search page. */
import { count, plural } from '#lib/text/plural.ts';

export const searchPage = {
	title: 'Search',
	lead: 'Searches all chains.',
	term: 'Search term',
	hint: 'A block’s height or hash, a transaction, a token’s ID or name, an address, a public key, or a chain’s name. The first six characters of a hash are enough.',
	button: 'Search',
	partial: 'Some results may be missing.',
	found: 'Found',
	matches: (hits: number): string => plural(hits, 'match', 'matches'),
	none: {
		title: (term: string): string => `No results for “${term}”`,
		text: 'Check the spelling, or paste a full ID. New transactions can take a few seconds to appear.',
		/** While blocks are not indexed. */
		unindexed: 'It may be in blocks that are not indexed yet.'
	},
	label: 'label'
} as const;

/** Texts of search hits; a note distinguishes a hit from others of its kind. */
export const searchHits = {
	chain: (chain: string): string => `Chain ${chain}`,
	block: (height: number): string => `Block ${count(height)}`,
	token: (name: string | null): string => (name === null ? 'Token' : `Token “${name}”`),
	transaction: (id: string): string => `Transaction ${id}`,
	anyTransaction: 'Transaction',
	/** @param kind such as `self-import-source` */
	transactionNote: (kind: string, height: number): string =>
		`${kind.replace(/-(?=[^-]*$)/, ' ')}, block ${count(height)}`,
	address: (address: string): string => `Address ${address}`,
	anyAddress: 'Address',
	keyAddress: (address: string): string => `Address of the key, ${address}`,
	addressNote: (transactions: bigint): string => plural(transactions, 'transaction'),
	heldNote: (units: bigint): string => `the key holds ${plural(units, 'base unit')}`
} as const;

/** Why a search text matches nothing. */
export const searchFaults = {
	empty: 'Enter a search term.',
	notAKey: 'This looks like a public key, but no key has these digits. One may be wrong.',
	digits: (digits: number): string =>
		`IDs and hashes have 64 hex digits, public keys 66; this has ${count(digits)}.`,
	checksum: 'Invalid address: checksum mismatch. One character may be wrong.'
} as const;
