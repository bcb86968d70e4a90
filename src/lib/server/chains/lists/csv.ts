/** Comma-separated values as RFC 4180 writes them, so that no spreadsheet runs what strangers wrote. */

/** A number with decimals as text: its column says that it is one, not its looks. */
export interface CsvNumber {
	decimal: string;
}

/** What one cell is made of. */
export type CsvValue = string | bigint | number | CsvNumber | null;

/** What some program drops or skips before it looks whether a cell is a formula. */
const SKIPPED = /^[\s\p{C}\p{Z}\p{M}"'`´‘’‚“”„«»]+/u;
/** How a formula begins, also after a line break or a tab that splits a cell (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\u2010-\u2015\u2212]/;
const BREAK = /[\t\r\n]/;
const NUMBER = /^-?\d+(\.\d+)?$/;

/** Whether a spreadsheet could run a text; full-width and small forms count as what they stand for. */
function isFormula(text: string): boolean {
	if (/^[\t\r\n]/.test(text)) return true;
	return text
		.split(BREAK)
		.some((part) => FORMULA.test(part.replace(SKIPPED, '').slice(0, 2).normalize('NFKC')));
}

/**
 * One cell. A text that a spreadsheet would run gets an apostrophe, because names of tokens come from
 * strangers; {@link csvText} takes it away again.
 */
export function csvCell(value: CsvValue): string {
	if (value === null) return '';
	if (typeof value === 'bigint' || typeof value === 'number') return String(value);
	if (typeof value === 'object' && NUMBER.test(value.decimal)) return value.decimal;
	const text = typeof value === 'object' ? value.decimal : value;
	const guarded = isFormula(text);
	// Spreadsheets in some languages split at a semicolon.
	return guarded || /[",;\t\r\n]|^\s|\s$/.test(text)
		? `"${(guarded ? `'${text}` : text).replaceAll('"', '""')}"`
		: text;
}

/** The text of a cell that {@link csvCell} wrote. */
export const csvText = (cell: string): string =>
	cell.startsWith("'") && isFormula(cell.slice(1)) ? cell.slice(1) : cell;

export const csvLine = (values: readonly CsvValue[]): string =>
	`${values.map(csvCell).join(',')}\r\n`;
