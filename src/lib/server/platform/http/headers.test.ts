import { describe, expect, test } from 'vitest';
import { isSecureHost, securityHeaders } from './headers.ts';

describe('headers of every answer', () => {
	test('bind a browser to https only where it came by https', () => {
		expect(securityHeaders(true)['strict-transport-security']).toMatch(/^max-age=\d{8}$/);
		expect(securityHeaders(false)).not.toHaveProperty('strict-transport-security');
	});

	test.each([
		['deck.example.org', 'https://deck.example.org', true],
		['DECK.example.org', 'https://deck.example.org', true],
		['192.0.2.1:3000', 'https://deck.example.org', false],
		['deck.example.org', null, false],
		['localhost:3000', 'http://localhost:3000', false],
		[null, 'https://deck.example.org', false]
	])('the host %s with the public address %s: %s', (host, origin, secure) => {
		expect(isSecureHost(host, origin)).toBe(secure);
	});
});
