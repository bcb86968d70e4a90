import { expect, test } from 'vitest';
import { daemonErrorWords, explainErrorText } from './index.ts';
import { nextStep } from './words.ts';

test('every explanation of a refusal is a pair of whole sentences', () => {
	for (const { what, next } of Object.values(daemonErrorWords)) {
		for (const sentence of [what, next]) expect(sentence).toMatch(/^[A-Z‘“][^]*\.$/);
	}
});

test('a refusal is explained with the step that comes next and who takes it', () => {
	const known = explainErrorText('tokeninfo', 'cant find tokenid');
	expect(known?.what).toBe('The chain does not know a token with this ID.');
	expect(known && nextStep(known)).toMatch(/^Check the token ID/);
	expect(explainErrorText('getinfo', 'words of another release')).toBeNull();
});
