/** Many recipients as they are typed or pasted. Every mistake is found at its row. */
import { isValidAddress } from '#lib/chain/address.ts';
import { isHex } from '#lib/chain/bytes.ts';
import { parseUnits } from '#lib/chain/tokenUnits.ts';
import { batchFaults as words } from '#lib/messages/batch-transfers/faults.ts';
import { chainErrorMessage } from '#lib/messages/chainErrors.ts';
import { markedText } from '#lib/text/confusables.ts';
import type { AddressBook } from '../address-book/addressBook.ts';
import { recipientFault } from '../transactions/request.ts';

/** The most recipients of one batch transfer. */
export const MOST_ROWS = 500;

/** One row of the form as text. */
export interface TypedRow {
	/** A public key, or a label of the address book that stands for one. */
	recipient: string;
	amount: string;
}

/** What is wrong with one row, by field. */
export interface RowErrors {
	recipient?: string;
	amount?: string;
}

/** A recipient that can receive, and how many units. */
export interface BatchTransferRow {
	recipient: string;
	units: bigint;
}

type ReadRows =
	| { ok: true; rows: BatchTransferRow[]; sum: bigint }
	/** Errors by the index of the row; `problem` is about all of them together. */
	| { ok: false; errors: Record<number, RowErrors>; problem: string | null };

const isEmpty = ({ recipient, amount }: TypedRow): boolean =>
	recipient.trim() === '' && amount.trim() === '';

/** The key that a text of a form stands for, or why it stands for none. */
type ReadRecipient = { ok: true; pubkey: string } | { ok: false; sentence: string };

/** Reads a recipient of tokens: a public key, or a label of the address book that stands for one. */
export async function readRecipient(
	addressBook: AddressBook,
	text: string
): Promise<ReadRecipient> {
	const written = text.trim();
	// Base58 knows upper case, so only hex is brought to lower case.
	const recipient = isHex(written) ? written.toLowerCase() : written;
	const fault = recipientFault(recipient);
	if (fault === null) return { ok: true, pubkey: recipient };
	const refused = (sentence: string): ReadRecipient => ({ ok: false, sentence });
	if (written === '') return refused(fault);
	if (isValidAddress(written)) {
		const known = (await addressBook.labels(new Set([written])))[written];
		return refused(
			known === undefined || known.form === ''
				? fault
				: words.keyOfAddress(fault, known.form, known.label)
		);
	}
	const entry = await addressBook.byLabel(written);
	if (entry === null) {
		return refused(isHex(written) ? fault : words.noLabel(fault));
	}
	const label = markedText(entry.label);
	if (entry.kind !== 'pubkey') {
		return refused(
			entry.kind === 'address' ? words.addressLabel(label) : words.otherLabel(label, entry.kind)
		);
	}
	const own = recipientFault(entry.value);
	return own === null ? { ok: true, pubkey: entry.value } : refused(own);
}

/**
 * Reads all rows; empty ones count as none.
 * @param decimals how many units are one whole, as a power of ten
 */
export async function readRows(
	addressBook: AddressBook,
	typed: readonly TypedRow[],
	decimals: number
): Promise<ReadRows> {
	const filled = [...typed.entries()].filter(([, row]) => !isEmpty(row));
	// Before any of them is looked up.
	if (filled.length > MOST_ROWS) {
		return { ok: false, errors: {}, problem: words.tooMany(filled.length, MOST_ROWS) };
	}
	const errors: Record<number, RowErrors> = {};
	const rows: BatchTransferRow[] = [];
	let sum = 0n;
	for (const [at, row] of filled) {
		const recipient = await readRecipient(addressBook, row.recipient);
		const amount = parseUnits(row.amount, decimals);
		if (!recipient.ok || !amount.ok) {
			errors[at] = {
				...(recipient.ok ? {} : { recipient: recipient.sentence }),
				...(amount.ok ? {} : { amount: chainErrorMessage(amount.fault) })
			};
			continue;
		}
		sum += amount.units;
		rows.push({ recipient: recipient.pubkey, units: amount.units });
	}
	const wrong = Object.keys(errors).length;
	if (wrong > 0) return { ok: false, errors, problem: null };
	if (rows.length === 0) {
		return {
			ok: false,
			errors: { 0: { recipient: words.noRecipient } },
			problem: null
		};
	}
	return { ok: true, rows, sum };
}

/** Recipients that stand in more than one row, each with the numbers of its rows, counted from 1. */
export function repeatedIn(rows: readonly { recipient: string }[]): Map<string, number[]> {
	const places = new Map<string, number[]>();
	rows.forEach(({ recipient }, at) => {
		places.set(recipient, [...(places.get(recipient) ?? []), at + 1]);
	});
	return new Map([...places].filter(([, at]) => at.length > 1));
}
