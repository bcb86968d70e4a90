import { expect, test } from 'vitest';
import { duration, durationRange } from './duration.ts';

test.each([
	[{ low: 240, high: 530 }, '4 to 9 minutes'],
	[{ low: 3, high: 40 }, '3 to 40 seconds'],
	[{ low: 0.4, high: 80 }, 'up to 80 seconds'],
	[{ low: 20, high: 100 }, 'up to 2 minutes'],
	[{ low: 119, high: 120 }, '1 to 2 minutes'],
	[{ low: 3_600, high: 7_300 }, '1 to 3 hours'],
	[{ low: 7_200, high: 7_200 }, 'about 2 hours'],
	[{ low: 0, high: 0 }, 'up to 1 second'],
	[{ low: 100_000, high: 400_000 }, '1 to 5 days']
])('a range of %o seconds reads "%s"', (range, words) => {
	expect(durationRange(range)).toBe(words);
});

test.each([
	[-3, 'less than a second'],
	[0.9, 'less than a second'],
	[1, '1 second'],
	[59.9, '59 seconds'],
	[119, '1 minute'],
	[7_200, '2 hours'],
	[90_000, '1 day']
])('%d seconds read "%s"', (seconds, words) => {
	expect(duration(seconds)).toBe(words);
});

test('a wait is never said to be shorter than it is', () => {
	expect(duration(0.2, Math.ceil)).toBe('1 second');
	expect(duration(61, Math.ceil)).toBe('2 minutes');
});
