import { describe, expect, it } from 'vitest';
import { keyedRows, linesTypedOn, rowsTypedOn } from './typedOnRows.ts';

const row = (recipient: string, amount = '') => ({ recipient, amount });
const EMPTY = row('');
type Rows = readonly ReturnType<typeof row>[];

/** Rows that the page shows after the response. */
const shown = (sent: Rows, now: Rows, answered: Rows): Rows =>
	rowsTypedOn(keyedRows(sent), keyedRows(now), answered).map(({ recipient, amount }) =>
		row(recipient, amount)
	);

describe('rows that were typed into while an answer was on its way', () => {
	it('are those of the answer where nobody typed', () => {
		const sent = [row('a', '1'), EMPTY];
		expect(shown(sent, sent, [row('a', '1'), row('b', '2')])).toEqual([
			row('a', '1'),
			row('b', '2')
		]);
	});

	it('keep what was typed, each in its own row, whether or not the answer left out empty ones', () => {
		const sent = [EMPTY, row('a', '1'), EMPTY, row('b', '2')];
		const now = [EMPTY, row('a', '10'), EMPTY, row('b', '20')];
		expect(shown(sent, now, [...sent, EMPTY])).toEqual([...now, EMPTY]);
		expect(shown(sent, now, [row('a', '1'), row('b', '2'), row('c', '3')])).toEqual([
			row('a', '10'),
			row('b', '20'),
			row('c', '3')
		]);
	});

	it('keep at the end what was typed into a row that the answer left out', () => {
		const sent = [row('a', '1'), EMPTY];
		const now = [row('a', '1'), row('z', '9')];
		expect(shown(sent, now, [row('a', '1'), row('b', '2')])).toEqual([
			row('a', '1'),
			row('b', '2'),
			row('z', '9')
		]);
	});

	it('take from the answer the field that nobody typed into', () => {
		const sent = [row('a,1')];
		expect(shown(sent, [row('a,1', '7')], [row('a', '1')])).toEqual([row('a', '7')]);
	});

	it('keep their keys, and no two have the same one', () => {
		const sent = keyedRows([EMPTY, row('a', '1'), EMPTY, EMPTY]);
		const now = sent.map((one) => (one.key === 3 ? { ...one, amount: '5' } : one));
		const keys = rowsTypedOn(sent, now, [row('a', '1'), row('b', '2')]).map(({ key }) => key);
		expect(keys[0]).toBe(1);
		expect(keys[2]).toBe(3);
		expect(new Set(keys).size).toBe(3);
	});

	it('are emptied where they were emptied', () => {
		const sent = [row('a', '1'), row('b', '2')];
		expect(shown(sent, [EMPTY, row('b', '2')], [...sent, EMPTY])).toEqual([
			EMPTY,
			row('b', '2'),
			EMPTY
		]);
	});
});

describe('lines that were typed while an answer was on its way', () => {
	it('stay below those that were taken over, which are not meant again', () => {
		expect(linesTypedOn('a,1', 'a,1\nb,2', '')).toBe('b,2');
		expect(linesTypedOn('a,1\n', 'a,1\nb,2', '')).toBe('b,2');
		expect(linesTypedOn('a,1', 'a,15', '')).toBe('');
		expect(linesTypedOn('a,1', 'a,1', '')).toBe('');
	});

	it('stay as they are where none was taken over', () => {
		expect(linesTypedOn('a,1', 'a,15', 'a,1')).toBe('a,15');
		expect(linesTypedOn('', 'b,2', '')).toBe('b,2');
		expect(linesTypedOn('a,1', 'a,1', 'a,1')).toBe('a,1');
	});
});
