/** Comma-separated values as RFC 4180 writes them. */
import { stands } from '../guards/stands.ts';

/** What a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * One cell. A text that a spreadsheet would run as a formula gets an apostrophe, because names of tokens
 * come from strangers.
 */
export function csvCell(value: string | bigint | number | null): string {
	if (value === null) return '';
	const text = String(value);
	const risky = FORMULA.test(text) && !NUMBER.test(text) && stands('formula-cells');
	const safe = risky ? `'${text}` : text;
	return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const csvLine = (values: readonly (string | bigint | number | null)[]): string =>
	`${values.map(csvCell).join(',')}\r\n`;
