import { describe, expect, test } from 'vitest';
import { cameByHttps, securityHeaders } from './headers.ts';

describe('headers of every answer', () => {
	test('bind a browser to https only where it came by https', () => {
		expect(securityHeaders(true)['strict-transport-security']).toMatch(/^max-age=\d{8}$/);
		expect(securityHeaders(false)).not.toHaveProperty('strict-transport-security');
	});

	test.each([
		['https://deck.example.org/', 'deck.example.org', null, true],
		['http://deck.example.org/', 'deck.example.org', 'https://deck.example.org', true],
		['http://deck.example.org/', 'DECK.example.org', 'https://deck.example.org', true],
		['http://192.0.2.1:3000/', '192.0.2.1:3000', 'https://deck.example.org', false],
		['http://localhost:3000/', 'localhost:3000', null, false],
		['http://localhost:3000/', null, 'http://localhost:3000', false]
	])('%s with the host %s and the public address %s: %s', (url, host, origin, secure) => {
		expect(cameByHttps(new URL(url), host, origin)).toBe(secure);
	});
});
