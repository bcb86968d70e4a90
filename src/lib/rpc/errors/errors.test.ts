import { describe, expect, test } from 'vitest';
import { errorPatterns, recognizeError } from './index.ts';
import recorded from './testdata/recorded.json' with { type: 'json' };
import specified from './testdata/specified.json' with { type: 'json' };

describe('every text that daemons were described or seen to say is recognized', () => {
	test.each(specified)('described in section $section: $says', ({ method, says }) => {
		expect(recognizeError(method, says), says).not.toBeNull();
	});

	test.each(recorded)('recorded of $method ($code), number %#', ({ method, says }) => {
		expect(recognizeError(method, says), says).not.toBeNull();
	});
});

test('each entry is met by at least one text, and by its own words first', () => {
	for (const { says, of, code } of errorPatterns) {
		if (typeof says !== 'string') continue;
		const method = of?.[0] ?? 'getinfo';
		expect(recognizeError(method, says)?.code, says).toBe(code);
	}
});

test('no two entries have the same code', () => {
	const codes = errorPatterns.map(({ code }) => code);
	expect(new Set(codes).size).toBe(codes.length);
});

test('the same words of two methods can mean different things', () => {
	expect(recognizeError('sendrawtransaction', '')?.code).toBe('broadcast.no-reason');
	expect(recognizeError('tokencreate', '')?.code).toBe('tokens.not-signed');
	expect(recognizeError('getinfo', '')).toBeNull();
});

test('the usage of a method is known by its name, that of another is not', () => {
	const usage = 'tokentransfer tokenid destpubkey amount\n';
	expect(recognizeError('tokentransfer', usage)?.code).toBe('usage');
	expect(recognizeError('tokeninfo', usage)).toBeNull();
	expect(recognizeError('tokenlist', 'tokenlist\n')?.code).toBe('usage');
	expect(recognizeError('getinfo', 'getinformation is nothing')).toBeNull();
});

test.each([
	'16: bad-txns-something-new',
	'17: Missing inputs and more',
	'This text is from the future',
	'x64: scriptpubkey',
	'64: scriptpubkey2'
])('%s is not taken for something known', (words) => {
	expect(recognizeError('sendrawtransaction', words)).toBeNull();
});

test('a hostile text of great length is answered at once', () => {
	const began = performance.now();
	for (const piece of ['a', "'", '(', ' ', 'txid ', '\n'])
		recognizeError('sendrawtransaction', piece.repeat(200_000));
	expect(performance.now() - began).toBeLessThan(5_000);
});
