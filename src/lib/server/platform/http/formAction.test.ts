import { expect, test } from 'vitest';
import { isNoAction } from './formAction.ts';

test.each([
	['?/constructor', true],
	['?/__proto__', true],
	['?x=1&/toString', true],
	['?/default', true],
	['?/send', false],
	['?/send&/constructor', false],
	['?constructor', false],
	['', false]
])('%s names an action that no page can have: %s', (search, expected) => {
	expect(isNoAction(new URL(`http://localhost/transactions/1${search}`))).toBe(expected);
});
