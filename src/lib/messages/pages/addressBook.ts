/** Texts of the address book pages. */
import { plural } from '#lib/text/plural.ts';

const entries = (n: number): string => plural(n, 'entry', 'entries');

export const ADDRESS_BOOK = {
	title: 'Address book',
	lead: 'Shared names for public keys, addresses, tokens and chains. Only your team sees them.',
	kinds: { pubkey: 'Public key', address: 'Address', token: 'Token', chain: 'Chain' },
	export: 'Export as CSV',
	filter: {
		label: 'Entries',
		text: 'Label, public key, address or ID',
		kind: 'Type',
		all: 'All'
	},
	list: {
		title: 'Entries',
		count: entries,
		caption: 'Entries of the address book',
		columns: {
			label: 'Label',
			kind: 'Type',
			value: 'Public key, address or ID',
			note: 'Note',
			updated: 'Updated'
		},
		none: {
			title: 'Your address book is empty',
			text: 'Name the public keys and addresses you meet often. The name is shown wherever they appear.'
		},
		noMatch: { title: 'No entries match', text: 'Try another word, or', showAll: 'show all' },
		onChain: (chain: string): string => `on ${chain}`,
		by: (name: string): string => `by ${name}`,
		more: 'More entries'
	},
	add: { title: 'Add entry', button: 'Add entry' },
	form: {
		label: 'Label',
		labelHint: (most: number): string => `Up to ${most} characters. Labels must not look alike.`,
		kind: 'Type',
		value: 'Public key, address, token ID or chain',
		valueHint: 'A public key also covers its coin and token addresses on every chain.',
		chain: 'Chain of the token',
		choose: 'Choose',
		note: 'Note'
	},
	import: {
		title: 'Import',
		note: 'Entries with a known public key, address or ID are updated; nothing is removed.',
		done: ({ added, changed, same }: { added: number; changed: number; same: number }): string =>
			`${entries(added)} added, ${changed} changed, ${same} unchanged`,
		skipped: (n: number): string => `${plural(n, 'line')} skipped:`,
		fault: (line: number, faults: readonly string[]): string => `Line ${line}: ${faults.join(' ')}`,
		more: (n: number): string => `and ${n} more.`,
		file: 'File',
		csv: 'Or paste CSV lines',
		csvHint: 'First line: kind,value,chain,label,note. Kinds: pubkey, address, token, chain.',
		button: 'Import'
	},
	entry: {
		lead: (kind: string): string => `${kind}, as labeled by your team`,
		details: 'Details',
		chain: 'Chain',
		address: 'address',
		note: 'Note',
		noNote: 'None',
		updated: 'Updated',
		created: '; created',
		edit: 'Edit entry',
		save: 'Save',
		remove: 'Remove entry'
	}
} as const;
