/** The rows of the form of a batch transfer: typed ones, pasted ones, and what of them fits into one batch. */
import { batchForm as words } from '#lib/messages/pages/batchTransfer.ts';
import { recipientLines } from '../recipients/lines.ts';
import { isEmpty, MOST_ROWS, type TypedRow } from './read.ts';

/** Number of empty rows in a new form, and number that "more rows" adds. */
const FRESH_ROWS = 4;
const MORE_ROWS = 10;
const MOST_PASTED = 200_000;

const EMPTY: TypedRow = { recipient: '', amount: '' };
const emptyRows = (n: number): TypedRow[] => Array.from({ length: n }, () => EMPTY);

type Joined = { ok: true; rows: TypedRow[] } | { ok: false; fault: string };

/** Splits a row when a whole line was pasted into its first field. */
function wholeLine(row: TypedRow): TypedRow {
	if (row.amount.trim() !== '') return row;
	const [line, ...more] = recipientLines(row.recipient);
	return line !== undefined && more.length === 0 && /^\d/.test(line.amount) ? line : row;
}

/** Returns the rows of a form from its fields, which repeat in the order of the rows. */
export const rowsOf = (recipients: readonly string[], amounts: readonly string[]): TypedRow[] =>
	recipients.map((recipient, at) => wholeLine({ recipient, amount: amounts[at] ?? '' }));

/** Returns the rows in which something is typed. */
export const filledOf = (rows: readonly TypedRow[]): TypedRow[] =>
	rows.filter((row) => !isEmpty(row));

/** Returns these rows, or empty ones to begin with when there are none. */
export const orFresh = (rows: readonly TypedRow[]): TypedRow[] =>
	rows.length === 0 ? emptyRows(FRESH_ROWS) : [...rows];

/** Adds empty rows, as long as they fit into one batch. */
export function withMore(rows: readonly TypedRow[]): TypedRow[] {
	const more = Math.max(0, Math.min(MORE_ROWS, MOST_ROWS - rows.length));
	return [...rows, ...emptyRows(more)];
}

/** Combines the filled rows with the pasted lines, as long as they fit into one batch. */
export function joined(filled: readonly TypedRow[], pasted: string): Joined {
	if (pasted.length > MOST_PASTED) return { ok: false, fault: words.tooMuch(MOST_PASTED) };
	const rows = [...filled, ...recipientLines(pasted)];
	return rows.length > MOST_ROWS
		? { ok: false, fault: words.tooMany(rows.length, MOST_ROWS) }
		: { ok: true, rows };
}
