/** An entry of the address book as it is typed. Every mistake is found at its field. */
import { isValidAddress } from '#lib/chain/address.ts';
import { isHex } from '#lib/chain/bytes.ts';
import { isValidPubkey } from '#lib/chain/key.ts';
import { skeleton } from '#lib/text/confusables.ts';
import type { EntryKind } from './tables.ts';

export const KINDS: readonly EntryKind[] = ['pubkey', 'address', 'token', 'chain'];
export const MOST_LABEL = 60;
const MOST_NOTE = 1000;

/** The form of an entry as text. */
export interface TypedEntry {
	kind: string;
	value: string;
	/** The chain of a token. */
	chain: string;
	label: string;
	note: string;
}

/** What an entry says, read and found right. */
export interface EntryWords {
	kind: EntryKind;
	value: string;
	chain: string | null;
	label: string;
	note: string;
}

export type EntryErrors = Partial<Record<keyof TypedEntry, string>>;

type ReadEntry = { ok: true; entry: EntryWords } | { ok: false; errors: EntryErrors };

const isKind = (text: string): text is EntryKind => (KINDS as readonly string[]).includes(text);

/** Characters that nobody sees, or that turn the text around them. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const UNSEEN_IN_NOTE = /[^\P{Cc}\n\t]|[\p{Cs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** What kind of thing a text is by its form; null for what could only be a name. */
export function kindOf(text: string): EntryKind | null {
	const value = text.trim();
	if (/^0[0-9a-f][0-9a-f]{64}$/i.test(value)) return 'pubkey';
	if (/^[0-9a-f]{64}$/i.test(value)) return 'token';
	return isValidAddress(value) ? 'address' : null;
}

function valueFault(kind: EntryKind, value: string, chains: readonly string[]): string | null {
	if (value === '') {
		return {
			pubkey: 'Enter the public key.',
			address: 'Enter the address.',
			token: 'Enter the token id.',
			chain: 'Choose the chain.'
		}[kind];
	}
	const other = kindOf(value);
	switch (kind) {
		case 'pubkey':
			if (other === 'address')
				return 'This is an address. Choose "address", or enter the public key: 66 hex digits that begin with 02 or 03.';
			if (other === 'token')
				return `A public key has 66 hex digits; this has 64. It may be a token id.`;
			if (!isHex(value) || value.length !== 66 || !/^0[23]/.test(value))
				return 'A public key has 66 hex digits and begins with 02 or 03.';
			return isValidPubkey(value)
				? null
				: 'No key has these digits: it is not a point on the curve. A digit may be wrong.';
		case 'address':
			if (other === 'pubkey')
				return 'This is a public key. Choose "public key": its addresses come with it.';
			return other === 'address'
				? null
				: 'This is not an address of Komodo chains: they begin with R or b, and a character may be wrong.';
		case 'token':
			return other === 'token' ? null : 'A token id has 64 hex digits.';
		case 'chain':
			return chains.includes(value) ? null : 'There is no such chain here.';
	}
}

/** Why a text cannot be a label; null when it can. */
function labelFault(label: string, chains: readonly string[]): string | null {
	if (label === '') return 'Give it a label.';
	if ([...label].length > MOST_LABEL) {
		return `The label has ${[...label].length} characters; ${MOST_LABEL} are the most.`;
	}
	if (UNSEEN.test(label)) {
		return 'The label has a character that cannot be seen or that turns the text around. Type it anew.';
	}
	const look = skeleton(label);
	if (look === '') return 'The label needs a letter or a digit.';
	if (kindOf(label) !== null || /^[0-9a-f]{16,}$/i.test(label)) {
		return 'A label that reads like a key, an id or an address would be taken for one. Choose a word.';
	}
	const chain = chains.find((name) => skeleton(name) === look);
	return chain === undefined
		? null
		: `The label looks like the name of the chain ${chain}. Choose another.`;
}

/**
 * Reads the form of an entry.
 * @param chains names of the chains of this installation
 */
export function readEntry(typed: TypedEntry, chains: readonly string[]): ReadEntry {
	const errors: EntryErrors = {};
	const label = typed.label.trim().replace(/\s+/gu, ' ').normalize('NFC');
	const note = typed.note.replaceAll('\r\n', '\n').trim();
	const { kind } = typed;
	const written = typed.value.trim();
	// Base58 knows upper case, so only hex is brought to lower case.
	const value = isHex(written) ? written.toLowerCase() : written;
	const chain = kind === 'token' ? typed.chain.trim() : '';
	if (!isKind(kind)) errors.kind = 'Choose what it is.';
	else {
		const fault = valueFault(kind, value, chains);
		if (fault !== null) errors.value = fault;
		if (kind === 'token' && !chains.includes(chain)) {
			errors.chain = 'Choose the chain that the token is on.';
		}
	}
	const fault = labelFault(label, kind === 'chain' ? [] : chains);
	if (fault !== null) errors.label = fault;
	if ([...note].length > MOST_NOTE) {
		errors.note = `The note has ${[...note].length} characters; ${MOST_NOTE} are the most.`;
	} else if (UNSEEN_IN_NOTE.test(note)) {
		errors.note = 'The note has a character that cannot be seen or that turns the text around.';
	}
	if (!isKind(kind) || Object.keys(errors).length > 0) return { ok: false, errors };
	return { ok: true, entry: { kind, value, chain: kind === 'token' ? chain : null, label, note } };
}
