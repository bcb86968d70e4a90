import { expect, it } from 'vitest';
import { createPlainHttpWatch, isPlainFromElsewhere } from './plainHttp.ts';

const HTTPS = 'https://deck.example.org';

it.each([
	['localhost:3000', '127.0.0.1', null, false],
	['localhost:3000', '::ffff:127.0.0.1', null, false],
	['[::1]:3000', '::1', HTTPS, false],
	['deck.example.org', '10.0.0.2', HTTPS, false],
	['10.0.0.5:3000', '10.0.0.2', null, true],
	['10.0.0.5:3000', '10.0.0.2', HTTPS, true],
	['localhost:3000', '10.0.0.2', null, true],
	['localhost:3000', undefined, null, true],
	['deck.lan', '127.0.0.1', 'http://deck.lan', true],
	['deck.lan', 'fe80::1%eth0', null, true]
] as const)('%s from %s with %s crosses a network without TLS: %s', (host, peer, origin, is) => {
	expect(isPlainFromElsewhere({ host, peer }, origin)).toBe(is);
});

it('is said once an hour, and shown for a day after the last time', () => {
	let now = 0;
	const said: string[] = [];
	const watch = createPlainHttpWatch(
		null,
		(text) => said.push(text),
		() => now
	);
	watch.reached({ host: 'localhost', peer: '127.0.0.1' });
	expect(watch.isShown()).toBe(false);
	for (const minute of [0, 1, 59, 60, 61, 119, 120]) {
		now = minute * 60_000;
		watch.reached({ host: '10.0.0.5', peer: '10.0.0.2' });
	}
	expect(said).toHaveLength(3);
	expect(watch.isShown()).toBe(true);
	now += 24 * 60 * 60_000;
	expect(watch.isShown()).toBe(false);
});
