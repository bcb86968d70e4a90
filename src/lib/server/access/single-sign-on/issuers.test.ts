import { expect, it } from 'vitest';
import { isSameIssuer } from './issuers.ts';

it.each([
	['https://id.example.org', 'https://id.example.org/'],
	['https://id.example.org/', 'https://id.example.org'],
	['https://ID.example.org:443', 'https://id.example.org'],
	['https://id.example.org/realms/a', 'https://id.example.org/realms/a'],
	['not an address', 'not an address']
])('takes %s and %s for one provider', (one, other) => {
	expect(isSameIssuer(one, other)).toBe(true);
});

it.each([
	['https://id.example.org', 'http://id.example.org'],
	['https://id.example.org', 'https://id.example.org:8443'],
	['https://id.example.org', 'https://id.example.org.evil.example/'],
	['https://id.example.org/realms/a', 'https://id.example.org/realms/b'],
	['https://id.example.org/realms/a', 'https://id.example.org/realms/a/'],
	['https://id.example.org', 'not an address']
])('takes %s and %s for two', (one, other) => {
	expect(isSameIssuer(one, other)).toBe(false);
});
