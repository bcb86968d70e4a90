import { expect, test } from 'vitest';
import { safeNext } from './safeNext.ts';

test.each([
	['/', '/'],
	['/account', '/account'],
	['/chains/ALPHA/tokens?sort=name&page=2', '/chains/ALPHA/tokens?sort=name&page=2'],
	['/migrations/new#amount', '/migrations/new#amount'],
	['/search?q=https://example.org', '/search?q=https://example.org'],
	['/a/../b', '/b']
])('%s is a way back', (next, expected) => {
	expect(safeNext(next)).toBe(expected);
});

test.each([
	null,
	undefined,
	'',
	'account',
	'//evil.example',
	'///evil.example',
	'/\\evil.example',
	'\\\\evil.example',
	'\\/evil.example',
	'https:evil.example',
	'https:/evil.example',
	'https://evil.example',
	'HTTPS://evil.example',
	'javascript:alert(1)',
	'data:text/html,x',
	'/\t/evil.example',
	'/\n/evil.example',
	'/\r/evil.example',
	'\t//evil.example',
	' //evil.example',
	'/ /evil.example',
	'/%2f/evil.example',
	'/%2Fevil.example',
	'/%5cevil.example',
	'/%5C%5Cevil.example',
	'/%09/evil.example',
	'/.//evil.example',
	'/x/..//evil.example',
	'/\u0000/evil.example',
	`/${'a'.repeat(3000)}`
])('%j leads nowhere but to the overview', (next) => {
	expect(safeNext(next)).toBe('/');
});

test('what it lets through, a browser takes for this server', () => {
	for (const next of ['/a', '/a//b', '/a?x=//evil', '/@evil.example', '/:80', '/;//evil']) {
		expect(new URL(safeNext(next), 'https://deck.example').origin).toBe('https://deck.example');
	}
});
