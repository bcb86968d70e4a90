import { describe, expect, test } from 'vitest';
import { skeleton, markedText } from './confusables.ts';

describe('what a text looks like', () => {
	test.each([
		['Alice', 'alice'],
		['Alice', 'ALICE '],
		['Alice', '\u0410lice'],
		['Alice', 'Al\u0456c\u0435'],
		['Alice', 'A\u200blice'],
		['Alice', '\u202eAlice'],
		['Alice', 'Ali\u3164ce\u2800'],
		['Alice', 'A1ice'],
		['Alice', 'ＡＬＩＣＥ'],
		['Alice', 'Álice'],
		['GOLD', 'G0LD'],
		['GOLD', 'G\u039fLD'],
		['AHA', '\u0410\u041d\u0410'],
		['main wallet', 'main-wallet'],
		['modem', 'modern']
	])('%j could be taken for %j', (one, other) => {
		expect(skeleton(one)).toBe(skeleton(other));
	});

	test.each([
		['Alice', 'Alicia'],
		['GOLD', 'GOLDEN'],
		['Алиса', 'Алина'],
		['東京', '京都']
	])('%j could not be taken for %j', (one, other) => {
		expect(skeleton(one)).not.toBe(skeleton(other));
	});
});

describe('what a text hides', () => {
	test('letters of another alphabet that pass for Latin ones are named', () => {
		expect(markedText('\u0430lice')).toBe('\u0430‹Cyrillic›lice');
		expect(markedText('G\u039fLD bar')).toBe('G\u039f‹Greek›LD bar');
		expect(markedText('\u0410\u041d\u0410')).toBe('\u0410\u041d\u0410‹Cyrillic›');
		expect(markedText('\u202eecila')).toBe('‹U+202E›ecila');
	});

	test('words that are plainly of another alphabet, and plain ones, stay as they are', () => {
		for (const text of ['Алиса', 'Δίκη', '東京', 'Zoë’s wallet 2', 'a👩‍🚀b']) {
			expect(markedText(text)).toBe(text);
		}
	});
});
