import { describe, expect, test } from 'vitest';
import { isFinal, readFinality, USUAL_FINALITY } from './finality.ts';

describe('when a block is final', () => {
	test.each([
		['ten blocks and a notarization by default', 109, 100, true],
		['not before the tenth block, although it is notarized', 108, 100, false],
		['not before its notarization, although it is deep', 150, 99, false],
		['ten blocks are enough where a chain was never notarized', 109, 0, true],
		['ten blocks are enough where notarizations ended days ago', 3_000, 50, true]
	])('%s', (_, tip, notarized, final) => {
		expect(isFinal(USUAL_FINALITY, { height: 100, tip, notarized })).toBe(final);
	});

	test('a chain can ask for blocks alone, or for whatever comes first', () => {
		const [, blocks] = readFinality('ALPHA=3')!;
		expect(isFinal(blocks, { height: 100, tip: 102, notarized: 10 })).toBe(true);
		const [, first] = readFinality('ALPHA=30/notarized')!;
		expect(isFinal(first, { height: 100, tip: 100, notarized: 100 })).toBe(true);
		expect(isFinal(first, { height: 100, tip: 128, notarized: 99 })).toBe(false);
		expect(readFinality('ALPHA=10+notarized')).toEqual(['ALPHA', USUAL_FINALITY]);
	});

	test('what is no rule is refused', () => {
		for (const text of ['ALPHA', 'ALPHA=0', 'ALPHA=notarized', '=5', 'ALPHA=5+', 'ALPHA=-1']) {
			expect(readFinality(text)).toBeNull();
		}
	});
});
