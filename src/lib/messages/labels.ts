/** Texts about labels of the address book on other pages. */

/** The team's label next to a value. */
export const LABEL_TAG = {
	title: (by: string): string => `Label from the address book, written by ${by}`,
	label: 'label'
} as const;

/** Offer to use the public key of an address that was entered in a field for public keys. */
export const FOUND_KEY = {
	title: (chain: string): string => `${chain} knows the public key of this address`,
	what: 'public key',
	in: 'was found in transaction',
	hashes: ', and it hashes to',
	use: 'Use this key'
} as const;
