import { plural } from '#lib/text/plural.ts';
import { withStatus, type ErrorArea } from './define.ts';

const MISSING = {
	pubkey: 'Enter the public key.',
	address: 'Enter the address.',
	token: 'Enter the token ID.',
	chain: 'Choose the chain.'
} as const;

/** Errors in an entry of the address book, or in a file of entries. */
export const addressBook = {
	...withStatus(400, {
		'address-book.value-missing': ({ kind }: { kind: keyof typeof MISSING }) => MISSING[kind],
		'address-book.address-for-pubkey': () =>
			'This is an address. Choose "address", or enter the public key: 66 hex digits that begin with 02 or 03.',
		'address-book.token-for-pubkey': () =>
			'A public key has 66 hex digits; this has 64. It may be a token ID.',
		'address-book.pubkey-for-address': () =>
			'This is a public key. Choose "public key": its addresses come with it.',
		'address-book.pubkey-invalid': () => 'A public key has 66 hex digits and begins with 02 or 03.',
		'address-book.pubkey-not-on-curve': () =>
			'No key has these digits: it is not a point on the curve. One digit may be wrong.',
		'address-book.address-invalid': () =>
			'This is not an address of Komodo chains: they begin with R or b. One character may be wrong.',
		'address-book.token-invalid': () => 'A token ID has 64 hex digits.',
		'address-book.chain-unknown': () => 'There is no such chain here.',
		'address-book.kind-missing': () => 'Choose a type.',
		'address-book.token-chain-missing': () => 'Choose the chain of the token.',
		'address-book.label-missing': () => 'Enter a label.',
		'address-book.label-too-long': ({ length, most }: { length: number; most: number }) =>
			`The label has ${length} characters; the maximum is ${most}.`,
		'address-book.label-unseen': () =>
			'The label has a character that cannot be seen or that turns the text around. Type it again.',
		'address-book.label-empty-look': () => 'The label needs a letter or a digit.',
		'address-book.label-like-id': () =>
			'A label that reads like a key, an ID or an address would be taken for one. Choose a word.',
		'address-book.label-like-chain': ({ chain }: { chain: string }) =>
			`The label looks like the name of the chain ${chain}. Choose another.`,
		'address-book.label-like-own-wallet': ({ label }: { label: string }) =>
			`The label looks like “${label}”, which names the team’s own wallet. Choose another.`,
		'address-book.note-too-long': ({ length, most }: { length: number; most: number }) =>
			`The note has ${length} characters; the maximum is ${most}.`,
		'address-book.note-unseen': () =>
			'The note has a character that cannot be seen or that turns the text around. Type it again.',
		'address-book.import-missing': () => 'Choose a file, or paste its lines.',
		'address-book.file-too-large': () => 'The file is larger than 2 MB.',
		'address-book.file-empty': () => 'The file is empty.',
		'address-book.file-heading': ({ columns }: { columns: readonly string[] }) =>
			`The first line must name the columns: ${columns.join(', ')}. At least kind, value and label are needed.`,
		'address-book.file-too-long': ({ entries, most }: { entries: number; most: number }) =>
			`The file has ${entries} entries; the maximum is ${most}.`
	}),
	...withStatus(409, {
		'address-book.full': ({ most }: { most: number }) =>
			`The address book has ${plural(most, 'entry', 'entries')}, and no more are possible. Remove one that is not needed.`,
		'address-book.label-taken': () => 'Another entry has this label.',
		'address-book.label-confusable': ({ label }: { label: string }) =>
			`Another entry is called “${label}”, and the two look alike. Choose a label that differs.`,
		'address-book.value-taken': ({ label }: { label: string }) =>
			`Already in the address book, as “${label}”.`,
		/** `form`: how the value relates to the key, such as "coin address". */
		'address-book.value-of-key': ({ form, label }: { form: string; label: string }) =>
			`This is the ${form} of the key “${label}”, which is already in the address book.`,
		'address-book.key-of-value': ({ address, label }: { address: string; label: string }) =>
			`An address of this key, ${address}, is already in the address book, as “${label}”. Change that entry into this key.`
	}),
	'address-book.entry-removed': {
		status: 410,
		message: () => 'This entry was removed in the meantime.'
	},
	'address-book.entry-unknown': {
		status: 404,
		message: () => 'There is no such entry in the address book.'
	}
} satisfies ErrorArea<'address-book'>;
