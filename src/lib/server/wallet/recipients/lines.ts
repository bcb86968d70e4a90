/** Recipients and amounts as people paste them, wherever several are asked for: the one reader of such lines. */
import { readCsv } from '../address-book/csv.ts';

/** One line as it was written: both are trimmed, and nothing of the line is left out. */
interface RecipientLine {
	/** Its number in the text, counted from 1. */
	line: number;
	recipient: string;
	amount: string;
}

/** Names of columns as the first line of a pasted table may have them. */
const HEADINGS =
	/^(recipient|address|pubkey|public key|key|label|name|to|amount|coins|units|value)$/i;
/** An address or a key is one long word, which any separator ends; a label may have spaces of its own. */
const LONG_WORD = /^([0-9a-z]{26,})(?:\s*[,;\t]\s*|\s+)(\S.*)$/is;
/** What separates the recipient of a line from the amount where the first line has another separator. */
const SEPARATED = /^([^,;\t]*)[,;\t](.*)$/s;

/** The recipient, and all that follows. */
function partsOf([first = '', ...rest]: readonly string[]): { recipient: string; amount: string } {
	const whole = [first, ...rest].join(',').trim();
	// `ADDRESS 1,5`: the comma is part of the amount.
	const word = LONG_WORD.exec(first.trim());
	if (word) return { recipient: word[1]!, amount: [word[2]!, ...rest].join(',') };
	if (rest.length > 0) return { recipient: first, amount: rest.join(',') };
	const separated = SEPARATED.exec(whole);
	return { recipient: separated?.[1] ?? whole, amount: separated?.[2] ?? '' };
}

/** Without the separators and spaces at the end, from there: a pattern would go to the end from each separator. */
function withoutEnd(text: string): string {
	let end = text.length;
	while (end > 0 && /[\s,;]/.test(text[end - 1]!)) end -= 1;
	return text.slice(0, end);
}

/**
 * Reads one recipient and amount a line, separated by a comma, a semicolon or a tab, after an address or a key
 * also by a space. A line of column names at the top and empty lines are left out. What stands behind the
 * amount stays with it, as it may be the rest of it (1,000): whoever reads the amount refuses it.
 */
export function recipientLines(text: string): RecipientLine[] {
	const lines = readCsv(text);
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
