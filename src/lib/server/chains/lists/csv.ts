/** Comma-separated values by RFC 4180, protected against CSV injection through text from third parties. */

/** A decimal number as text. The type marks it as a number, whatever the text looks like. */
export interface CsvNumber {
	decimal: string;
}

/** Value of one cell. */
export type CsvValue = string | bigint | number | CsvNumber | null;

/** Characters that some programs drop or skip before they check whether a cell is a formula. */
const SKIPPED = /^[\s\p{C}\p{Z}\p{M}"'`´‘’‚“”„«»]+/u;
/** Start of a formula, also after a line break or tab that splits a cell (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\u2010-\u2015\u2212]/;
const BREAK = /[\t\r\n]/;
const NUMBER = /^-?\d+(\.\d+)?$/;

/** Whether a spreadsheet could execute a text; full-width and small forms count as the characters they represent. */
function isFormula(text: string): boolean {
	if (/^[\t\r\n]/.test(text)) return true;
	return text
		.split(BREAK)
		.some((part) => FORMULA.test(part.replace(SKIPPED, '').slice(0, 2).normalize('NFKC')));
}

/**
 * Formats one cell. A text that a spreadsheet might execute gets a leading apostrophe, because token names come
 * from third parties; {@link csvText} removes it again.
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

/** Returns the text of a cell that {@link csvCell} wrote, after unquoting. */
export const csvText = (cell: string): string =>
	cell.startsWith("'") && isFormula(cell.slice(1)) ? cell.slice(1) : cell;

export const csvLine = (values: readonly CsvValue[]): string =>
	`${values.map(csvCell).join(',')}\r\n`;
