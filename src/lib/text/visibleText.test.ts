import fc from 'fast-check';
import { expect, it } from 'vitest';
import { visibleText } from './visibleText.ts';

it('leaves what everybody can see', () => {
	for (const text of ['Café 42', 'שלום', 'कखग', '', '🦋🦋🦋🦋🦋🦋🦋🦋', '👩🏽‍🔬 and 👩‍👩‍👧', '❤️‍🔥']) {
		expect(visibleText(text)).toBe(text);
	}
});

it('shows direction marks, control characters and what has no width by their numbers', () => {
	expect(visibleText('safe\u202Etxt.exe')).toBe('safe‹U+202E›txt.exe');
	expect(visibleText('\0a\u001b[31m\u200b\ufeff')).toBe('‹U+0000›a‹U+001B›[31m‹U+200B›‹U+FEFF›');
	expect(visibleText('Gold\u200d')).toBe('Gold‹U+200D›');
	expect(visibleText('a\nb')).toBe('a‹U+000A›b');
	expect(visibleText('a\nb\tc\r', { lines: true })).toBe('a\nb\tc‹U+000D›');
});

it('leaves no mark that turns other text around, whatever is given', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary' }), (text) => {
			expect(visibleText(text)).not.toMatch(
				/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
			);
		})
	);
});
