import fc from 'fast-check';
import { expect, it } from 'vitest';
import { visibleJson, visibleText } from './visibleText.ts';

it('leaves what everybody can see', () => {
	for (const text of [
		'Café 42',
		'שלום',
		'कखग',
		'',
		'🦋🦋🦋🦋🦋🦋🦋🦋',
		'👩🏽‍🔬 and 👩‍👩‍👧',
		'❤️‍🔥',
		'❤️',
		'1️⃣',
		'☎︎'
	]) {
		expect(visibleText(text)).toBe(text);
	}
});

it('shows direction marks, control characters and what has no width by their numbers', () => {
	expect(visibleText('safe\u202Etxt.exe')).toBe('safe‹U+202E›txt.exe');
	expect(visibleText('\0a\u001b[31m\u200b\ufeff')).toBe('‹U+0000›a‹U+001B›[31m‹U+200B›‹U+FEFF›');
	expect(visibleText('Gold\u200d')).toBe('Gold‹U+200D›');
	expect(visibleText('a\u3164\uffa0\u2800b')).toBe('a‹U+3164›‹U+FFA0›‹U+2800›b');
	expect(visibleText('Gold\ufe0f\u034f\u{e0101}')).toBe('Gold‹U+FE0F›‹U+034F›‹U+E0101›');
	expect(visibleText('Lot 1\ufe0f')).toBe('Lot 1‹U+FE0F›');
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

it('shows invisible characters of JSON by escapes that mean the same', () => {
	expect(visibleJson('{\n\t"a": "x\u202ey\u{e0101}"\n}')).toBe(
		'{\n\t"a": "x\\u202ey\\udb40\\udd01"\n}'
	);
	fc.assert(
		fc.property(fc.string({ unit: 'binary' }), (text) => {
			const shown = visibleJson(JSON.stringify({ text }, null, 2));
			expect(JSON.parse(shown)).toEqual({ text });
			expect(shown).not.toMatch(/[\p{Zl}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
		})
	);
});
