import { expect, test } from 'vitest';
import { readCsv } from './csv.ts';

test('a cell is quoted where only blanks precede the quote, and a later quote is part of it', () => {
	const cellsOf = (text: string): readonly string[] => readCsv(text, 1).lines[0]?.cells ?? [];
	expect(cellsOf(' "a,b",c')).toEqual(['a,b', 'c']);
	expect(cellsOf('"""a""",x"y')).toEqual(['"a"', 'x"y']);
	expect(cellsOf('"" "a,b",c')).toEqual(['a,b', 'c']);
	expect(cellsOf('"x" "a,b",c')).toEqual(['x "a', 'b"', 'c']);
});

test('a cell of many quotes takes a moment, not minutes', () => {
	const cell = 'x"'.repeat(100_000);
	const before = process.threadCpuUsage();
	expect(readCsv(cell, 1)).toEqual({ lines: [{ line: 1, cells: [cell] }], count: 1 });
	expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(1_000);
});

test('lines beyond the most are counted and not kept', () => {
	const read = readCsv('a,b\n\n"c\nd",e\nf\n,\ng', 2);
	expect(read).toEqual({
		lines: [
			{ line: 1, cells: ['a', 'b'] },
			{ line: 3, cells: ['c\nd', 'e'] }
		],
		count: 4
	});
});

test('a file of long cells is read in a moment', () => {
	const line = `address,${'x'.repeat(300)},,${'\u0430\u0301'.repeat(150)},${'n'.repeat(370)}\n`;
	const before = process.threadCpuUsage();
	expect(readCsv(line.repeat(2_000), 2_000).lines).toHaveLength(2_000);
	expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(300);
});
