import { expect, test } from 'vitest';
import { notarizationGroup } from './notarizationGroup.ts';

test('chains are grouped by the beginnings of their names, as the daemon groups them', () => {
	const labs = ['LABS', 'LABSX', 'CFEKDRAGON', 'TEST2', 'THIS_CHAIN_IS_BANNED'];
	const others = ['KMD', 'ALPHA', 'BETALABS', 'labs', 'THIS_CHAIN', ''];
	expect(labs.map(notarizationGroup)).toEqual(labs.map(() => 'LABS'));
	expect(others.map(notarizationGroup)).toEqual(others.map(() => 'KMD'));
});
