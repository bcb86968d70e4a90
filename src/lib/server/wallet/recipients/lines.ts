/** Reads recipients and amounts as pasted, for every form that takes several recipients. */
import { bareText } from '#lib/chain/bareText.ts';
import { readCsv } from '../address-book/csv.ts';

/** One line as written: both parts are trimmed, and no text is dropped. */
interface RecipientLine {
	/** Its number in the text, counted from 1. */
	line: number;
	recipient: string;
	amount: string;
}

/** Column names that the first line of a pasted table may have. */
const HEADINGS =
	/^(recipient|address|pubkey|public key|key|label|name|to|amount|coins|units|value)$/i;
/** An address or a key is one long word that any separator ends; a label may contain spaces. */
const LONG_WORD = /^([0-9a-z]{26,})(?:\s*[,;\t]\s*|\s+)(\S.*)$/is;
/** Splits a line whose separator differs from that of the first line. */
const SEPARATED = /^([^,;\t]*)[,;\t](.*)$/s;

/** Splits a line into the recipient and all text after it. */
function partsOf([first = '', ...rest]: readonly string[]): { recipient: string; amount: string } {
	const whole = bareText([first, ...rest].join(','));
	// `ADDRESS 1,5`: the comma is part of the amount.
	const word = LONG_WORD.exec(bareText(first));
	if (word) return { recipient: word[1]!, amount: [word[2]!, ...rest].join(',') };
	if (rest.length > 0) return { recipient: first, amount: rest.join(',') };
	const separated = SEPARATED.exec(whole);
	return { recipient: separated?.[1] ?? whole, amount: separated?.[2] ?? '' };
}

/**
 * Removes separators and spaces at the end. It scans from the end, as a regular expression would scan to the
 * end again from each separator.
 */
function withoutEnd(text: string): string {
	let end = text.length;
	while (end > 0 && /[\s,;]/.test(text[end - 1]!)) end -= 1;
	return text.slice(0, end);
}

/**
 * Reads one recipient and amount per line, separated by a comma, a semicolon or a tab, or after an address or
 * a key by a space. Column names in the first line and empty lines are left out. Text after the amount stays
 * part of the amount, as in `1,000`: the parser of amounts then refuses it.
 */
export function recipientLines(text: string): RecipientLine[] {
	const { lines } = readCsv(text, Infinity);
	const head = lines[0]?.cells;
	if (head && head.length >= 2 && head.every((cell) => cell === '' || HEADINGS.test(cell.trim()))) {
		lines.shift();
	}
	return lines.map(({ line, cells }) => {
		const { recipient, amount } = partsOf(cells);
		return {
			line,
			recipient: recipient.trim(),
			amount: withoutEnd(amount.trim().replace(/^[,;\t]\s*/, ''))
		};
	});
}
