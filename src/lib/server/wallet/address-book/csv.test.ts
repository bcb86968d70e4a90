import { expect, test } from 'vitest';
import { readCsv } from './csv.ts';

test('a cell is quoted where only blanks precede the quote, and a later quote is part of it', () => {
	const cellsOf = (text: string): readonly string[] => readCsv(text)[0]?.cells ?? [];
	expect(cellsOf(' "a,b",c')).toEqual(['a,b', 'c']);
	expect(cellsOf('"""a""",x"y')).toEqual(['"a"', 'x"y']);
	expect(cellsOf('"" "a,b",c')).toEqual(['a,b', 'c']);
	expect(cellsOf('"x" "a,b",c')).toEqual(['x "a', 'b"', 'c']);
});

test('a cell of many quotes takes a moment, not minutes', () => {
	const cell = 'x"'.repeat(100_000);
	const before = process.threadCpuUsage();
	expect(readCsv(cell)).toEqual([{ line: 1, cells: [cell] }]);
	expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(1_000);
});
