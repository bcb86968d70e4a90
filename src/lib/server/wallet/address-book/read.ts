/** Reads an entry of the address book as typed in a form. Each error is reported at its field. */
import { bareText } from '#lib/chain/bareText.ts';
import type { CodedError, CodesOf } from '#lib/messages/errors/index.ts';
import { migrationForm } from '#lib/messages/pages/migrationForm.ts';
import { isValidAddress } from '#lib/chain/address.ts';
import { isHex } from '#lib/chain/bytes.ts';
import { isHash } from '#lib/chain/idText.ts';
import { isValidPubkey } from '#lib/chain/key.ts';
import { skeleton } from '#lib/text/confusables.ts';
import { visibleText } from '#lib/text/visibleText.ts';
import type { EntryKind } from './tables.ts';

const KINDS: readonly EntryKind[] = ['pubkey', 'address', 'token', 'chain'];
export const MOST_LABEL = 60;
const MOST_NOTE = 1000;

/** The fields of the entry form, as submitted. */
export interface TypedEntry {
	kind: string;
	value: string;
	/** The chain of a token; ignored for other kinds. */
	chain: string;
	label: string;
	note: string;
}

/** The validated content of an entry. */
export interface EntryWords {
	kind: EntryKind;
	value: string;
	chain: string | null;
	label: string;
	note: string;
}

export type AddressBookFault = CodedError<CodesOf<'address-book'>>;

export type EntryErrors = Partial<Record<keyof TypedEntry, AddressBookFault>>;

type ReadEntry = { ok: true; entry: EntryWords } | { ok: false; errors: EntryErrors };

/** Faults whose message needs no params. */
const FAULTS = {
	addressForPubkey: { code: 'address-book.address-for-pubkey', params: {} },
	tokenForPubkey: { code: 'address-book.token-for-pubkey', params: {} },
	pubkeyForAddress: { code: 'address-book.pubkey-for-address', params: {} },
	pubkeyInvalid: { code: 'address-book.pubkey-invalid', params: {} },
	notOnCurve: { code: 'address-book.pubkey-not-on-curve', params: {} },
	addressInvalid: { code: 'address-book.address-invalid', params: {} },
	tokenInvalid: { code: 'address-book.token-invalid', params: {} },
	chainUnknown: { code: 'address-book.chain-unknown', params: {} },
	kindMissing: { code: 'address-book.kind-missing', params: {} },
	tokenChainMissing: { code: 'address-book.token-chain-missing', params: {} },
	labelMissing: { code: 'address-book.label-missing', params: {} },
	labelUnseen: { code: 'address-book.label-unseen', params: {} },
	labelEmptyLook: { code: 'address-book.label-empty-look', params: {} },
	labelLikeId: { code: 'address-book.label-like-id', params: {} },
	noteUnseen: { code: 'address-book.note-unseen', params: {} }
} as const satisfies Record<string, AddressBookFault>;

export const isEntryKind = (text: string): text is EntryKind =>
	(KINDS as readonly string[]).includes(text);

/** Invisible characters, and those that change the direction of the text around them. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const INVISIBLE_IN_NOTE =
	/[^\P{Cc}\n\t]|[\p{Cs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Returns the kind of entry whose format a text has; null when it can only be a name. */
export function kindOf(text: string): EntryKind | null {
	const value = bareText(text);
	if (/^0[0-9a-f][0-9a-f]{64}$/i.test(value)) return 'pubkey';
	if (isHash(value.toLowerCase())) return 'token';
	return isValidAddress(value) ? 'address' : null;
}

function valueFault(
	kind: EntryKind,
	value: string,
	chains: readonly string[]
): AddressBookFault | null {
	if (value === '') return { code: 'address-book.value-missing', params: { kind } };
	const other = kindOf(value);
	switch (kind) {
		case 'pubkey':
			if (other === 'address') return FAULTS.addressForPubkey;
			if (other === 'token') return FAULTS.tokenForPubkey;
			if (!isHex(value) || value.length !== 66 || !/^0[23]/.test(value))
				return FAULTS.pubkeyInvalid;
			return isValidPubkey(value) ? null : FAULTS.notOnCurve;
		case 'address':
			if (other === 'pubkey') return FAULTS.pubkeyForAddress;
			return other === 'address' ? null : FAULTS.addressInvalid;
		case 'token':
			return other === 'token' ? null : FAULTS.tokenInvalid;
		case 'chain':
			return chains.includes(value) ? null : FAULTS.chainUnknown;
	}
}

/** Why a text cannot be the label of an entry; null when it can. */
function labelFault(
	kind: string,
	label: string,
	chains: readonly string[]
): AddressBookFault | null {
	if (label === '') return FAULTS.labelMissing;
	const { length } = [...label];
	if (length > MOST_LABEL) {
		return { code: 'address-book.label-too-long', params: { length, most: MOST_LABEL } };
	}
	if (INVISIBLE.test(label) || visibleText(label) !== label) return FAULTS.labelUnseen;
	const look = skeleton(label);
	if (look === '') return FAULTS.labelEmptyLook;
	if (kindOf(label) !== null || /^[0-9a-f]{16,}$/i.test(label)) return FAULTS.labelLikeId;
	const chain = kind === 'chain' ? undefined : chains.find((name) => skeleton(name) === look);
	if (chain !== undefined) return { code: 'address-book.label-like-chain', params: { chain } };
	// Forms suggest own wallets together with entries, told apart by their labels.
	const own = chains
		.map((name) => migrationForm.ownWalletLabel(name))
		.find((suggested) => skeleton(suggested) === look);
	return own === undefined
		? null
		: { code: 'address-book.label-like-own-wallet', params: { label: own } };
}

/**
 * Returns the submitted fields, but takes a field that was not edited since the form was shown from the
 * current entry.
 */
export function withChanges(
	now: EntryWords,
	shown: Partial<TypedEntry>,
	typed: TypedEntry
): TypedEntry {
	const kept = (Object.keys(typed) as (keyof TypedEntry)[]).filter(
		(field) => typed[field] === shown[field]
	);
	return { ...typed, ...Object.fromEntries(kept.map((field) => [field, now[field] ?? ''])) };
}

/**
 * Validates the form of an entry.
 * @param chains names of the chains of this installation
 */
export function readEntry(typed: TypedEntry, chains: readonly string[]): ReadEntry {
	const errors: EntryErrors = {};
	const label = typed.label.trim().replace(/\s+/gu, ' ').normalize('NFC');
	const note = typed.note.replaceAll('\r\n', '\n').trim();
	const { kind } = typed;
	const written = bareText(typed.value);
	// Base58 is case-sensitive, so only hex is converted to lower case.
	const value = isHex(written) ? written.toLowerCase() : written;
	const chain = kind === 'token' ? typed.chain.trim() : '';
	if (!isEntryKind(kind)) errors.kind = FAULTS.kindMissing;
	else {
		const fault = valueFault(kind, value, chains);
		if (fault !== null) errors.value = fault;
		if (kind === 'token' && !chains.includes(chain)) errors.chain = FAULTS.tokenChainMissing;
	}
	const fault = labelFault(kind, label, chains);
	if (fault !== null) errors.label = fault;
	const { length } = [...note];
	if (length > MOST_NOTE) {
		errors.note = { code: 'address-book.note-too-long', params: { length, most: MOST_NOTE } };
	} else if (INVISIBLE_IN_NOTE.test(note)) errors.note = FAULTS.noteUnseen;
	if (!isEntryKind(kind) || Object.keys(errors).length > 0) return { ok: false, errors };
	return { ok: true, entry: { kind, value, chain: kind === 'token' ? chain : null, label, note } };
}
