import { describe, expect, test } from 'vitest';
import { cameByHttps, securityHeaders } from './headers.ts';

describe('headers of every answer', () => {
	test('bind a browser to https only where it came by https', () => {
		expect(securityHeaders(true)['strict-transport-security']).toMatch(/^max-age=\d{8}$/);
		expect(securityHeaders(false)).not.toHaveProperty('strict-transport-security');
	});

	test.each([
		[{ host: 'deck.example.org' }, 'https://deck.example.org', true],
		[{ host: 'DECK.example.org' }, 'https://deck.example.org', true],
		[{ host: '192.0.2.1:3000' }, 'https://deck.example.org', false],
		[{ host: 'deck.example.org' }, null, false],
		[{ host: 'localhost:3000' }, 'http://localhost:3000', false],
		[{}, 'https://deck.example.org', false],
		[
			{ host: '127.0.0.1:3000', origin: 'https://deck.example.org' },
			'https://deck.example.org',
			true
		],
		[
			{ host: '127.0.0.1:3000', origin: 'http://127.0.0.1:3000' },
			'https://deck.example.org',
			false
		],
		[{ cookie: 'a=1; __Host-komodeck_session=2' }, 'https://deck.example.org', true],
		[{ cookie: 'komodeck_session=2' }, 'https://deck.example.org', false],
		[{ cookie: '__Host-komodeck_session=2' }, null, false]
	])('a request with the headers %j at the public address %s: %s', (headers, origin, secure) => {
		expect(cameByHttps(new Headers(headers as Record<string, string>), origin)).toBe(secure);
	});
});
