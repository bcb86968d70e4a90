import { expect, test } from 'vitest';
import { pastedRows } from './read.ts';

const KEY = `02${'ab'.repeat(32)}`;

test.each([
	[`${KEY},250`, '250'],
	[`${KEY};250`, '250'],
	[`${KEY}\t250`, '250'],
	// Cut at the comma it would be a single unit.
	[`${KEY},1,000`, '1,000'],
	[`${KEY},250,for the berth`, '250,for the berth'],
	[`${KEY},250,,`, '250'],
	[`recipient,amount\r\n${KEY}, 250 \r\n`, '250']
])('of the line %j nothing is left out', (text, amount) => {
	expect(pastedRows(text)).toEqual([{ recipient: KEY, amount }]);
});
