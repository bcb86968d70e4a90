/** Writes the address book as CSV, and reads entries from CSV files. */
import { csvLine, csvText } from '../../chains/lists/csv.ts';
import type { Entry } from './entry.ts';
import type { AddressBookFault, TypedEntry } from './read.ts';

const COLUMNS = ['kind', 'value', 'chain', 'label', 'note', 'written by', 'written'] as const;
/** Maximum number of lines of one import. */
const MOST_LINES = 2_000;
const MOST_BYTES = 2_000_000;

/** Returns all entries as comma-separated values with a header line. */
export function writeEntries(entries: readonly Entry[]): string {
	return [
		csvLine([...COLUMNS]),
		...entries.map(({ kind, value, chain, label, note, writtenBy, writtenAt }) =>
			csvLine([kind, value, chain, label, note, writtenBy, new Date(writtenAt).toISOString()])
		)
	].join('');
}

/** One record of a file: the number of its first line, counted from 1, and its cells. */
interface CsvLine {
	line: number;
	cells: string[];
}

/**
 * Reads comma-, semicolon- or tab-separated values (RFC 4180: quoted cells may hold separators, line ends
 * and doubled quotes). Empty lines are left out.
 */
export function readCsv(text: string): CsvLine[] {
	const source = text.replace(/^\ufeff/, '');
	const first = source.split(/\r?\n/, 1)[0] ?? '';
	const separator = [',', ';', '\t'].find((sign) => first.includes(sign)) ?? ',';
	const lines: CsvLine[] = [];
	let cells: string[] = [];
	let cell = '';
	/** The cell is blank so far. Kept beside it, because trimming a growing cell at each quote takes minutes. */
	let isBlank = true;
	let quoted = false;
	let line = 1;
	let begun = 1;
	const add = (sign: string): void => {
		cell += sign;
		isBlank &&= sign.trim() === '';
	};
	const endCell = (): void => {
		cells.push(cell);
		cell = '';
		isBlank = true;
	};
	const endLine = (): void => {
		endCell();
		if (cells.some((one) => one.trim() !== '')) lines.push({ line: begun, cells });
		cells = [];
		begun = line + 1;
	};
	for (let at = 0; at < source.length; at++) {
		const sign = source[at]!;
		if (quoted) {
			if (sign === '"' && source[at + 1] === '"') {
				add(sign);
				at += 1;
			} else if (sign === '"') quoted = false;
			else add(sign);
			if (sign === '\n') line += 1;
		} else if (sign === '"' && isBlank) {
			quoted = true;
			cell = '';
		} else if (sign === separator) {
			endCell();
		} else if (sign === '\n') {
			endLine();
			line += 1;
		} else if (sign !== '\r') add(sign);
	}
	endLine();
	return lines;
}

type ReadBook =
	| { ok: true; lines: { line: number; typed: TypedEntry }[] }
	| { ok: false; fault: AddressBookFault };

/** Reads the entries of a CSV file with a header line. Columns with unknown names are ignored. */
export function readEntries(text: string): ReadBook {
	if (text.length > MOST_BYTES) {
		return { ok: false, fault: { code: 'address-book.file-too-large', params: {} } };
	}
	const [head, ...rows] = readCsv(text);
	if (head === undefined) {
		return { ok: false, fault: { code: 'address-book.file-empty', params: {} } };
	}
	const names = head.cells.map((cell) => cell.trim().toLowerCase());
	const at = (name: string): number => names.indexOf(name);
	if (at('kind') < 0 || at('value') < 0 || at('label') < 0) {
		return {
			ok: false,
			fault: { code: 'address-book.file-heading', params: { columns: COLUMNS.slice(0, 5) } }
		};
	}
	if (rows.length > MOST_LINES) {
		return {
			ok: false,
			fault: {
				code: 'address-book.file-too-long',
				params: { entries: rows.length, most: MOST_LINES }
			}
		};
	}
	return {
		ok: true,
		lines: rows.map(({ line, cells }) => {
			const cell = (name: string): string => csvText(cells[at(name)] ?? '').trim();
			return {
				line,
				typed: {
					kind: cell('kind').toLowerCase(),
					value: cell('value'),
					chain: cell('chain'),
					label: cell('label'),
					note: cell('note')
				}
			};
		})
	};
}
