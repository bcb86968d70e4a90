/** Writes the address book as CSV, and reads entries from CSV files. */
import { csvLine, csvText } from '../../chains/lists/csv.ts';
import type { Entry } from './entry.ts';
import type { TypedLine } from './importEntries.ts';
import type { AddressBookFault } from './read.ts';

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

/** Runs of characters that neither end nor quote a cell, by the separator. */
const PLAIN: Readonly<Record<string, RegExp>> = {
	',': /[^,"\r\n]+/y,
	';': /[^;"\r\n]+/y,
	'\t': /[^\t"\r\n]+/y
};

/**
 * Reads comma-, semicolon- or tab-separated values (RFC 4180: quoted cells may hold separators, line ends
 * and doubled quotes). Empty lines are left out.
 * @param most lines that are kept; further ones are only counted
 */
export function readCsv(text: string, most: number): { lines: CsvLine[]; count: number } {
	const source = text.replace(/^\ufeff/, '');
	const first = /^[^\n]*/.exec(source)?.[0] ?? '';
	const separator = Object.keys(PLAIN).find((sign) => first.includes(sign)) ?? ',';
	const plain = PLAIN[separator]!;
	const lines: CsvLine[] = [];
	let count = 0;
	let cells: string[] = [];
	let cell = '';
	/** The cell is blank so far. Kept beside it, because trimming a growing cell at each quote takes minutes. */
	let isBlank = true;
	let quoted = false;
	let line = 1;
	let begun = 1;
	let at = 0;
	const add = (part: string): void => {
		cell += part;
		isBlank &&= part.trim() === '';
	};
	const endCell = (): void => {
		cells.push(cell);
		cell = '';
		isBlank = true;
	};
	const endLine = (): void => {
		endCell();
		if (cells.some((one) => one.trim() !== '')) {
			count += 1;
			if (count <= most) lines.push({ line: begun, cells });
		}
		cells = [];
		begun = line + 1;
	};
	/** Reads up to the next quote, which may be half of a doubled one. */
	const readQuoted = (): void => {
		const quote = source.indexOf('"', at);
		const end = quote < 0 ? source.length : quote;
		const part = source.slice(at, end);
		add(part);
		line += part.split('\n').length - 1;
		quoted = source[end + 1] === '"';
		if (quoted) add('"');
		at = end + (quoted ? 2 : 1);
	};
	while (at < source.length) {
		if (quoted) {
			readQuoted();
			continue;
		}
		const sign = source[at]!;
		if (sign === '"' && isBlank) {
			quoted = true;
			cell = '';
		} else if (sign === '"') add(sign);
		else if (sign === separator) endCell();
		else if (sign === '\n') {
			endLine();
			line += 1;
		} else if (sign !== '\r') {
			plain.lastIndex = at;
			const part = plain.exec(source)?.[0] ?? sign;
			add(part);
			at += part.length - 1;
		}
		at += 1;
	}
	endLine();
	return { lines, count };
}

type ReadBook = { ok: true; lines: TypedLine[] } | { ok: false; fault: AddressBookFault };

/** Reads the entries of a CSV file with a header line. Columns with unknown names are ignored. */
export function readEntries(text: string): ReadBook {
	if (text.length > MOST_BYTES) {
		return { ok: false, fault: { code: 'address-book.file-too-large', params: {} } };
	}
	const {
		lines: [head, ...rows],
		count
	} = readCsv(text, 1 + MOST_LINES);
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
	const entries = count - 1;
	if (entries > MOST_LINES) {
		return {
			ok: false,
			fault: {
				code: 'address-book.file-too-long',
				params: { entries, most: MOST_LINES }
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
					note: at('note') < 0 ? null : cell('note')
				}
			};
		})
	};
}
