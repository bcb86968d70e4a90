import type { Int64, NullableText } from '../../platform/database/columns.ts';

/** What an entry of the address book is about. */
export type EntryKind = 'pubkey' | 'address' | 'chain' | 'token';

/** One thing that the team has given a name of its own. */
export interface LabelsTable {
	id: string;
	kind: EntryKind;
	/** A compressed key or a tokenid in lower-case hex, an address, or the name of a chain. */
	value: string;
	/** The chain of a token; null for what is the same on every chain. */
	chain: NullableText;
	label: string;
	/** What the label looks like: no two entries may look alike. */
	skeleton: string;
	/** Folded for sorting and searching. */
	label_key: string;
	note: string;
	/** Name of the account that wrote it last, and of the first. */
	written_by: string;
	created_by: string;
	/** Unix milliseconds. */
	created_at: Int64;
	written_at: Int64;
}

/**
 * Every text under which an entry is met on a page: the value itself, and for a key its addresses, which
 * are the same on every chain.
 */
export interface LabelKeysTable {
	key: string;
	entry: string;
	/** `value`, `coins`, `tokens`, `nft-f1` …: which of the addresses of a key it is. */
	form: string;
}

/** Words of labels with one letter left out, so that a misspelt one is found by equality. */
export interface LabelWordsTable {
	/** The whole word, or what remains of it. */
	key: string;
	word: string;
	entry: string;
}

export interface LabelTables {
	labels: LabelsTable;
	label_keys: LabelKeysTable;
	label_words: LabelWordsTable;
}
