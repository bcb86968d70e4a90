import { expect, it } from 'vitest';
import { cookieValues, hostCookie, hostCookieValues, setCookie } from './cookies.ts';

it('reads all values of a cookie, in the order in which the browser sent them', () => {
	const headers = new Headers({ cookie: 'a=1; b=2;a=3; a; a=; =4; aa=5' });
	expect(cookieValues(headers, 'a')).toEqual(['1', '3']);
	expect(cookieValues(headers, 'c')).toEqual([]);
	expect(cookieValues(new Headers(), 'a')).toEqual([]);
});

it('takes at the public address only cookies that no other host can set', () => {
	const headers = new Headers({ host: 'deck.example.org', cookie: 'a=1; __Host-a=2' });
	expect(hostCookieValues(headers, 'a', 'https://deck.example.org')).toEqual(['2']);
	expect(hostCookieValues(headers, 'a', null)).toEqual(['1']);
});

it('limits a cookie to this host under https, and hides it from scripts', () => {
	const attributes = { path: '/', httpOnly: true, sameSite: 'lax', maxAge: 60 };
	expect(hostCookie('a', '1', true, 60)).toEqual({
		name: '__Host-a',
		value: '1',
		attributes: { ...attributes, secure: true }
	});
	expect(hostCookie('a', '1', false, 60)).toEqual({
		name: 'a',
		value: '1',
		attributes: { ...attributes, secure: false }
	});
});

it('sets a cookie by its name', () => {
	const calls: unknown[] = [];
	const cookie = hostCookie('a', '1', false, 60);
	setCookie({ set: (...call) => calls.push(call) }, cookie);
	expect(calls).toEqual([['a', '1', cookie.attributes]]);
});
