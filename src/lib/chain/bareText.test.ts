import { expect, test } from 'vitest';
import { bareText } from './bareText.ts';

test.each([
	['\u200bRX\u200b', 'RX'],
	['\u200e\u202aRX\u202c\ufeff', 'RX'],
	['\u00a0\u2060 RX\r\n\t', 'RX'],
	['R\u200bX Y', 'R\u200bX Y'],
	['Gold \u{1f468}\u200d\u{1f680}', 'Gold \u{1f468}\u200d\u{1f680}'],
	[' \u200b ', ''],
	['', '']
])('what is not seen around %j is removed', (text, bare) => {
	expect(bareText(text)).toBe(bare);
});

test('a long run of blanks within a text is read once', () => {
	const long = `a${' '.repeat(1_000_000)}b`;
	expect(bareText(long)).toBe(long);
});
