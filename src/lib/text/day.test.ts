import { expect, it } from 'vitest';
import { parseDay } from './day.ts';

it.each([
	['1970-01-01', 0],
	['2024-02-29', Date.UTC(2024, 1, 29)],
	['2026-12-31', Date.UTC(2026, 11, 31)]
])('%s begins at its midnight in UTC', (text, at) => {
	expect(parseDay(text)).toBe(at);
});

it.each([
	'2026-02-29',
	'2026-02-30',
	'2026-04-31',
	'2026-13-01',
	'2026-00-10',
	'2026-1-1',
	'31.05.2026',
	''
])('%s is no day', (text) => {
	expect(parseDay(text)).toBeNaN();
});
