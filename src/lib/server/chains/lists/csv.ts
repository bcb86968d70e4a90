/** Comma-separated values by RFC 4180, protected against CSV injection through text from third parties. */

/** A decimal number as text. The type marks it as a number, whatever the text looks like. */
export interface CsvNumber {
	decimal: string;
}

/** Value of one cell. */
export type CsvValue = string | bigint | number | CsvNumber | null;

/** Characters that some programs drop or skip before they check whether a cell is a formula. */
const SKIPPED = /^[\s\p{C}\p{Z}\p{M}"'`´‘’‚“”„«»]+/u;
/** Start of a formula (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\u2010-\u2015\u2212]/;
/**
 * Characters at which a program may split a cell, each kept as a part. Programs of many languages separate cells by
 * semicolons; they take a quote that does not begin a cell of theirs as text.
 */
const BREAKS = /([\t\r\n;])/;
/** Start of a text that some programs execute whatever follows, with the apostrophes of an earlier export. */
const LEADING_BREAK = /^'*[\t\r\n]/;
const NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * Whether a spreadsheet could execute a part of a text; full-width and small forms count as the characters they
 * represent.
 */
const isFormula = (part: string): boolean =>
	FORMULA.test(part.replace(SKIPPED, '').slice(0, 2).normalize('NFKC'));

/** Adds an apostrophe before each part of a text that a spreadsheet could execute. */
function guarded(text: string): string {
	const parts = text.split(BREAKS).map((part) => (isFormula(part) ? `'${part}` : part));
	return `${LEADING_BREAK.test(text) ? "'" : ''}${parts.join('')}`;
}

/**
 * Formats one cell. What a spreadsheet might execute gets a leading apostrophe, because token names come from third
 * parties; {@link csvText} removes it again.
 */
export function csvCell(value: CsvValue): string {
	if (value === null) return '';
	if (typeof value === 'bigint' || typeof value === 'number') return String(value);
	if (typeof value === 'object' && NUMBER.test(value.decimal)) return value.decimal;
	const text = typeof value === 'object' ? value.decimal : value;
	const safe = guarded(text);
	return safe !== text || /[",;\t\r\n]|^\s|\s$/.test(text)
		? `"${safe.replaceAll('"', '""')}"`
		: text;
}

/** Returns the text of a cell that {@link csvCell} wrote, after unquoting. */
export function csvText(cell: string): string {
	const text = cell.startsWith("'") && LEADING_BREAK.test(cell.slice(1)) ? cell.slice(1) : cell;
	return text
		.split(BREAKS)
		.map((part) => (part.startsWith("'") && isFormula(part.slice(1)) ? part.slice(1) : part))
		.join('');
}

/** Returns one line of CSV (RFC 4180), with its line break. */
export const csvLine = (values: readonly CsvValue[]): string =>
	`${values.map(csvCell).join(',')}\r\n`;
