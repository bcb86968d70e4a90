import { plural } from '#lib/text/plural.ts';
import type { ErrorArea } from './define.ts';

const MISSING = {
	pubkey: 'Enter the public key.',
	address: 'Enter the address.',
	token: 'Enter the token ID.',
	chain: 'Choose the chain.'
} as const;

/** What is wrong with an entry of the address book, or with a file of entries. */
export const addressBook = {
	'address-book.value-missing': {
		status: 400,
		message: ({ kind }: { kind: keyof typeof MISSING }) => MISSING[kind]
	},
	'address-book.address-for-pubkey': {
		status: 400,
		message: () =>
			'This is an address. Choose "address", or enter the public key: 66 hex digits that begin with 02 or 03.'
	},
	'address-book.token-for-pubkey': {
		status: 400,
		message: () => 'A public key has 66 hex digits; this has 64. It may be a token ID.'
	},
	'address-book.pubkey-for-address': {
		status: 400,
		message: () => 'This is a public key. Choose "public key": its addresses come with it.'
	},
	'address-book.pubkey-invalid': {
		status: 400,
		message: () => 'A public key has 66 hex digits and begins with 02 or 03.'
	},
	'address-book.pubkey-not-on-curve': {
		status: 400,
		message: () =>
			'No key has these digits: it is not a point on the curve. One digit may be wrong.'
	},
	'address-book.address-invalid': {
		status: 400,
		message: () =>
			'This is not an address of Komodo chains: they begin with R or b. One character may be wrong.'
	},
	'address-book.token-invalid': { status: 400, message: () => 'A token ID has 64 hex digits.' },
	'address-book.chain-unknown': { status: 400, message: () => 'There is no such chain here.' },
	'address-book.kind-missing': { status: 400, message: () => 'Choose a type.' },
	'address-book.token-chain-missing': {
		status: 400,
		message: () => 'Choose the chain of the token.'
	},
	'address-book.label-missing': { status: 400, message: () => 'Enter a label.' },
	'address-book.label-too-long': {
		status: 400,
		message: ({ length, most }: { length: number; most: number }) =>
			`The label has ${length} characters; the maximum is ${most}.`
	},
	'address-book.label-unseen': {
		status: 400,
		message: () =>
			'The label has a character that cannot be seen or that turns the text around. Type it again.'
	},
	'address-book.label-empty-look': {
		status: 400,
		message: () => 'The label needs a letter or a digit.'
	},
	'address-book.label-like-id': {
		status: 400,
		message: () =>
			'A label that reads like a key, an ID or an address would be taken for one. Choose a word.'
	},
	'address-book.label-like-chain': {
		status: 400,
		message: ({ chain }: { chain: string }) =>
			`The label looks like the name of the chain ${chain}. Choose another.`
	},
	'address-book.full': {
		status: 409,
		message: ({ most }: { most: number }) =>
			`The address book has ${plural(most, 'entry', 'entries')}, and no more are possible. Remove one that is not needed.`
	},
	'address-book.label-taken': { status: 409, message: () => 'Another entry has this label.' },
	'address-book.label-confusable': {
		status: 409,
		message: ({ label }: { label: string }) =>
			`Another entry is called “${label}”, and the two look alike. Choose a label that differs.`
	},
	'address-book.note-too-long': {
		status: 400,
		message: ({ length, most }: { length: number; most: number }) =>
			`The note has ${length} characters; the maximum is ${most}.`
	},
	'address-book.note-unseen': {
		status: 400,
		message: () =>
			'The note has a character that cannot be seen or that turns the text around. Type it again.'
	},
	'address-book.value-taken': {
		status: 409,
		message: ({ label }: { label: string }) => `Already in the address book, as “${label}”.`
	},
	/** `form`: what the value is to the key, such as "coin address". */
	'address-book.value-of-key': {
		status: 409,
		message: ({ form, label }: { form: string; label: string }) =>
			`This is the ${form} of the key “${label}”, which is already in the address book.`
	},
	'address-book.key-of-value': {
		status: 409,
		message: ({ address, label }: { address: string; label: string }) =>
			`An address of this key, ${address}, is already in the address book, as “${label}”. Change that entry into this key.`
	},
	'address-book.entry-removed': {
		status: 410,
		message: () => 'This entry was removed in the meantime.'
	},
	'address-book.entry-unknown': {
		status: 404,
		message: () => 'There is no such entry in the address book.'
	},
	'address-book.import-missing': {
		status: 400,
		message: () => 'Choose a file, or paste its lines.'
	},
	'address-book.file-too-large': {
		status: 400,
		message: () => 'The file is larger than 2 MB.'
	},
	'address-book.file-empty': { status: 400, message: () => 'The file is empty.' },
	'address-book.file-heading': {
		status: 400,
		message: ({ columns }: { columns: readonly string[] }) =>
			`The first line must name the columns: ${columns.join(', ')}. At least kind, value and label are needed.`
	},
	'address-book.file-too-long': {
		status: 400,
		message: ({ entries, most }: { entries: number; most: number }) =>
			`The file has ${entries} entries; the maximum is ${most}.`
	}
} satisfies ErrorArea<'address-book'>;
