import { expect, test } from 'vitest';
import { isSecureHost } from './secureHost.ts';

test.each([
	['deck.example.org', 'https://deck.example.org', true],
	['DECK.example.org', 'https://deck.example.org', true],
	['192.0.2.1:3000', 'https://deck.example.org', false],
	['deck.example.org', null, false],
	['localhost:3000', 'http://localhost:3000', false],
	[null, 'https://deck.example.org', false]
])('the host %s is secure with the public address %s: %s', (host, origin, secure) => {
	expect(isSecureHost(host, origin)).toBe(secure);
});
