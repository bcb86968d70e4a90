import { describe, expect, test } from 'vitest';
import { MOST_ROWS } from './read.ts';
import { filledOf, joined, orFresh, rowsOf, withMore } from './typedRows.ts';

const row = (recipient: string, amount: string) => ({ recipient, amount });

describe('the rows of the form of a batch transfer', () => {
	test('split a whole line that was pasted into the field of a recipient, but not one beside an amount', () => {
		expect(rowsOf(['ada, 5', 'ada, 5', 'bob'], ['', '7'])).toMatchObject([
			row('ada', '5'),
			row('ada, 5', '7'),
			row('bob', '')
		]);
	});

	test('take pasted lines as long as one batch can hold them', () => {
		expect(joined([row('ada', '5')], 'bob, 6\ncleo, 7')).toMatchObject({
			ok: true,
			rows: [row('ada', '5'), row('bob', '6'), row('cleo', '7')]
		});
		const lines = Array.from({ length: MOST_ROWS }, () => 'bob, 6').join('\n');
		expect(joined([], lines).ok).toBe(true);
		expect(joined([row('ada', '5')], lines).ok).toBe(false);
		expect(joined([], ' '.repeat(200_001)).ok).toBe(false);
	});

	test('begin empty, and grow up to the size of a batch', () => {
		expect(filledOf(orFresh([]))).toEqual([]);
		expect(orFresh([row('ada', '5')])).toEqual([row('ada', '5')]);
		const full = Array.from({ length: MOST_ROWS - 3 }, () => row('ada', '5'));
		expect(withMore(full)).toHaveLength(MOST_ROWS);
		expect(withMore(withMore(full))).toHaveLength(MOST_ROWS);
	});
});
