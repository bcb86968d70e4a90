import type { Int64, NullableText } from '../../platform/database/columns.ts';

/** What an entry of the address book labels. */
export type EntryKind = 'pubkey' | 'address' | 'chain' | 'token';

/** A label that the team gave to a key, an address, a chain or a token. */
export interface LabelsTable {
	id: string;
	kind: EntryKind;
	/** A compressed key or a tokenid in lower-case hex, an address, or the name of a chain. */
	value: string;
	/** The chain of a token; null for other kinds. */
	chain: NullableText;
	label: string;
	/** Skeleton of the label (UTS 39): unique, as no two labels may look alike. */
	skeleton: string;
	/** The label folded for sorting and searching. */
	label_key: string;
	note: string;
	/** Names of the accounts that changed the entry last and that created it. */
	written_by: string;
	created_by: string;
	/** Unix milliseconds. */
	created_at: Int64;
	written_at: Int64;
}

/**
 * Every identifier under which an entry appears on pages: its value, and for a public key also its addresses,
 * which are the same on every chain.
 */
export interface LabelKeysTable {
	key: string;
	entry: string;
	/** `value`, or for an address of a key `coins`, `tokens`, `nft-f1` … */
	form: string;
}

/**
 * Words of labels, whole and with one letter left out, so that a misspelt word is found by an equality
 * lookup.
 */
export interface LabelWordsTable {
	/** The word, whole or with one letter left out. */
	key: string;
	word: string;
	entry: string;
}

export interface LabelTables {
	labels: LabelsTable;
	label_keys: LabelKeysTable;
	label_words: LabelWordsTable;
}
