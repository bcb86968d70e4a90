import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCsv } from '../../wallet/address-book/csv.ts';
import { csvCell, csvLine, csvText } from './csv.ts';

/** Texts of the characters that guards are about. */
const telling = fc.string({ unit: fc.constantFrom(...'\'=-;\t\n",x ') });

describe('a cell', () => {
	it('is quoted where it must be', () => {
		expect(csvCell('plain')).toBe('plain');
		expect(csvCell('a,b')).toBe('"a,b"');
		expect(csvCell('a;b')).toBe('"a;b"');
		expect(csvCell(' a')).toBe('" a"');
		expect(csvCell('say "so"')).toBe('"say ""so"""');
		expect(csvCell('two\nlines')).toBe('"two\nlines"');
		expect(csvCell(null)).toBe('');
	});

	it.each([
		...['=1+1', '+1+1', '-1+1', '@SUM(1)', '\t=1', '\r=1', '\n=1', '\tx', '\rx', '\nx'],
		...[' =1', '\u00a0=1', '\u3000=1', '"=1"', "'=1", '""=1', '\u201c=1', '\ufeff=1', '\u200b=1'],
		...[
			'\u0000=1',
			'\u001b=1',
			'\u202e=1',
			'\u2060=1',
			' \u200b"\ufeff =1',
			'\u0301=1',
			'\u00ad=1'
		],
		...['＝1', '＋1', '－1', '＠x', '﹢1', '﹣1', '−1', '–1'],
		...[
			'=',
			'-',
			'-5',
			'-1.15000000',
			'+49 30 1',
			'=HYPERLINK("http://x")',
			"-2+3+cmd|' /C calc'!A0"
		]
	])('that a spreadsheet would run is text, and quoted: %j', (text) => {
		const cell = csvCell(text);
		expect(cell.startsWith(`"'`)).toBe(true);
		expect(cell.endsWith('"')).toBe(true);
		expect(csvText(readCsv(`x,${cell}`, 1).lines[0]!.cells[1]!)).toBe(text);
	});

	it.each([
		'text\n=1',
		'text\t=1',
		'text\r\n @x',
		'x;=1',
		"x;'=1",
		'x;\u200b＝1;"+2',
		'\t;-1',
		"'\tx"
	])('has no part that a spreadsheet would run, wherever it splits the file: %j', (text) => {
		const line = csvLine(['x', text]);
		const parts = line.slice(line.indexOf(',') + 2).split(/[\t\r\n;]/);
		expect(parts.filter((part) => /^[\s"\u200b]*[=+\-@＝]/.test(part))).toEqual([]);
		expect(csvText(readCsv(line, 1).lines[0]!.cells[1]!)).toBe(text);
	});

	it('is a number by what its column says, and not by its looks', () => {
		expect(csvCell(-5n)).toBe('-5');
		expect(csvCell(-5)).toBe('-5');
		expect(csvCell({ decimal: '-1.15000000' })).toBe('-1.15000000');
		expect(csvCell({ decimal: '-1+cmd' })).toBe(`"'-1+cmd"`);
		expect(csvCell('-1.15000000')).toBe(`"'-1.15000000"`);
	});

	it('is the same text again when it is read', () => {
		fc.assert(
			fc.property(
				fc.array(fc.oneof(fc.string({ unit: 'binary' }), telling), { minLength: 2 }),
				(texts) => {
					const [line] = readCsv(csvLine(['x', ...texts]), 1).lines;
					expect(line?.cells.slice(1).map(csvText)).toEqual(texts);
				}
			)
		);
	});
});
