import { describe, expect, test } from 'vitest';
import { errorTexts, explainErrorText, TURN_WORDS } from './index.ts';
import recorded from './testdata/recorded.json' with { type: 'json' };
import specified from './testdata/specified.json' with { type: 'json' };

describe('every text that daemons were described or seen to say has plain words', () => {
	test.each(specified)('described in section $section: $says', ({ method, says }) => {
		expect(explainErrorText(method, says), says).not.toBeNull();
	});

	test.each(recorded)('recorded of $method ($code), number %#', ({ method, says }) => {
		expect(explainErrorText(method, says), says).not.toBeNull();
	});
});

test('each entry is met by at least one text, and by its own words first', () => {
	for (const entry of errorTexts) {
		const { says, of } = entry;
		if (typeof says !== 'string') continue;
		const method = of?.[0] ?? 'getinfo';
		expect(explainErrorText(method, says)?.what, says).toBe(entry.what);
	}
});

test('entries are sentences, and say whose turn it is', () => {
	for (const { what, next, turn } of errorTexts) {
		for (const sentence of [what, next]) expect(sentence).toMatch(/^[A-Z‘“][^]*\.$/);
		expect(TURN_WORDS[turn]).toBeTruthy();
	}
});

test('the same words of two methods can mean different things', () => {
	expect(explainErrorText('sendrawtransaction', '')?.what).toContain('unsigned');
	expect(explainErrorText('tokencreate', '')?.what).toContain('signed');
	expect(explainErrorText('getinfo', '')).toBeNull();
});

test('the usage of a method is known by its name, that of another is not', () => {
	const usage = 'tokentransfer tokenid destpubkey amount\n';
	expect(explainErrorText('tokentransfer', usage)?.what).toContain('usage');
	expect(explainErrorText('tokeninfo', usage)).toBeNull();
	expect(explainErrorText('tokenlist', 'tokenlist\n')?.what).toContain('usage');
	expect(explainErrorText('getinfo', 'getinformation is nothing')).toBeNull();
});

test.each([
	'16: bad-txns-something-new',
	'17: Missing inputs and more',
	'This text is from the future',
	'x64: scriptpubkey',
	'64: scriptpubkey2'
])('%s is not taken for something known', (words) => {
	expect(explainErrorText('sendrawtransaction', words)).toBeNull();
});

test('a hostile text of great length is answered at once', () => {
	const began = performance.now();
	for (const piece of ['a', "'", '(', ' ', 'txid ', '\n'])
		explainErrorText('sendrawtransaction', piece.repeat(200_000));
	expect(performance.now() - began).toBeLessThan(5_000);
});
