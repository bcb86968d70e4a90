/** What the address book's labels say on other pages. */

/** Where the team's label stands beside a value. */
export const LABEL_TAG = {
	title: (by: string): string => `Label from the address book, written by ${by}`,
	label: 'label'
} as const;

/** The public key of an address that was typed where a key is needed. */
export const FOUND_KEY = {
	title: (chain: string): string => `${chain} knows the public key of this address`,
	what: 'public key',
	in: 'was found in transaction',
	hashes: ', and it hashes to',
	use: 'Use this key'
} as const;
