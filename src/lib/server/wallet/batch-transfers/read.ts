/** Reads the recipients of a batch transfer, typed or pasted. Each error is reported at its row. */
import { bareText } from '#lib/chain/bareText.ts';
import { isValidAddress } from '#lib/chain/address.ts';
import { isHex } from '#lib/chain/bytes.ts';
import { parseUnits } from '#lib/chain/tokenUnits.ts';
import { batchFaults as words } from '#lib/messages/batch-transfers/faults.ts';
import { chainErrorMessage } from '#lib/messages/chainErrors.ts';
import { markedText } from '#lib/text/confusables.ts';
import type { AddressBook } from '../address-book/addressBook.ts';
import { recipientFault } from '../transactions/request.ts';

/** Maximum number of recipients of one batch transfer. */
export const MOST_ROWS = 500;

/** One row of the form, as submitted. */
export interface TypedRow {
	/** A public key, or the label of one in the address book. */
	recipient: string;
	amount: string;
}

/** What is wrong with one row, by field. */
export interface RowErrors {
	recipient?: string;
	amount?: string;
}

/** A validated recipient, and its amount in base units. */
export interface BatchTransferRow {
	recipient: string;
	units: bigint;
}

type ReadRows =
	| { ok: true; rows: BatchTransferRow[]; sum: bigint }
	/** Errors by index of the row, counted from 0; `problem` concerns the rows as a whole. */
	| { ok: false; errors: Record<number, RowErrors>; problem: string | null };

/** Whether nothing is typed in a row; such rows are left out. */
export const isEmpty = ({ recipient, amount }: TypedRow): boolean =>
	recipient.trim() === '' && amount.trim() === '';

/** The public key that a text resolves to, or the message why there is none. */
type ReadRecipient = { ok: true; pubkey: string } | { ok: false; sentence: string };

/** Resolves a recipient of tokens: a public key, or the label of one in the address book. */
export async function readRecipient(
	addressBook: AddressBook,
	text: string
): Promise<ReadRecipient> {
	const written = bareText(text);
	// Base58 is case-sensitive, so only hex is converted to lower case.
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
 * Validates all rows; empty rows are ignored.
 * @param decimals of the token: 10^decimals base units are one whole
 */
export async function readRows(
	addressBook: AddressBook,
	typed: readonly TypedRow[],
	decimals: number
): Promise<ReadRows> {
	const filled = [...typed.entries()].filter(([, row]) => !isEmpty(row));
	// Checked before any row is looked up in the address book.
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

/** Returns the recipients that appear in more than one row, each with its row numbers, counted from 1. */
export function repeatedIn(rows: readonly { recipient: string }[]): Map<string, number[]> {
	const places = new Map<string, number[]>();
	rows.forEach(({ recipient }, at) => {
		places.set(recipient, [...(places.get(recipient) ?? []), at + 1]);
	});
	return new Map([...places].filter(([, at]) => at.length > 1));
}
