import { expect, test } from 'vitest';
import { isOriginAllowed, type OriginFacts } from './origin.ts';

const post: OriginFacts = {
	method: 'POST',
	hasToken: false,
	hasSessionCookie: true,
	origin: 'http://localhost:3000',
	secFetchSite: 'same-origin',
	host: 'localhost:3000',
	publicOrigin: null
};

test('a page of ours may post', () => {
	expect(isOriginAllowed(post)).toBe(true);
	expect(isOriginAllowed({ ...post, secFetchSite: null })).toBe(true);
	expect(
		isOriginAllowed({ ...post, origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000' })
	).toBe(true);
	expect(isOriginAllowed({ ...post, host: 'LOCALHOST:3000' })).toBe(true);
});

test.each([
	'http://evil.example',
	'http://localhost',
	'http://localhost:3001',
	'http://127.0.0.1:3000',
	'http://localhost:3000.evil.example',
	'null',
	'',
	'chrome-extension://localhost:3000',
	'file://localhost:3000'
])('a post from %j is refused, with a session cookie or without', (origin) => {
	expect(isOriginAllowed({ ...post, origin })).toBe(false);
	expect(isOriginAllowed({ ...post, origin, hasSessionCookie: false })).toBe(false);
});

test('every method that changes something is held to the rule', () => {
	for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
		expect(isOriginAllowed({ ...post, method, origin: 'http://evil.example' })).toBe(false);
	}
	for (const method of ['GET', 'HEAD', 'OPTIONS']) {
		expect(isOriginAllowed({ ...post, method, origin: 'http://evil.example' })).toBe(true);
	}
});

test('a token needs no origin', () => {
	const facts = { ...post, hasToken: true, hasSessionCookie: false };
	expect(isOriginAllowed({ ...facts, origin: null, secFetchSite: null })).toBe(true);
	expect(isOriginAllowed({ ...facts, origin: 'http://evil.example' })).toBe(true);
});

test('without an Origin, Sec-Fetch-Site decides', () => {
	const facts = { ...post, origin: null };
	expect(isOriginAllowed({ ...facts, secFetchSite: 'same-origin' })).toBe(true);
	for (const secFetchSite of ['cross-site', 'same-site', 'none']) {
		expect(isOriginAllowed({ ...facts, secFetchSite })).toBe(false);
		expect(isOriginAllowed({ ...facts, secFetchSite, hasSessionCookie: false })).toBe(false);
	}
});

test('with neither, a session cookie is not enough, and a script without one may ask', () => {
	const facts = { ...post, origin: null, secFetchSite: null };
	expect(isOriginAllowed(facts)).toBe(false);
	expect(isOriginAllowed({ ...facts, hasSessionCookie: false })).toBe(true);
});

test('the public origin is ours too, scheme included', () => {
	const facts = { ...post, host: '10.0.0.7:3000', publicOrigin: 'https://deck.example/' };
	expect(isOriginAllowed({ ...facts, origin: 'https://deck.example' })).toBe(true);
	expect(isOriginAllowed({ ...facts, origin: 'http://deck.example' })).toBe(false);
	expect(isOriginAllowed({ ...facts, origin: 'https://deck.example.evil' })).toBe(false);
	// Also where the request names that host, as behind a proxy.
	const asked = { ...facts, host: 'deck.example' };
	expect(isOriginAllowed({ ...asked, origin: 'https://deck.example' })).toBe(true);
	expect(isOriginAllowed({ ...asked, origin: 'http://deck.example' })).toBe(false);
});
