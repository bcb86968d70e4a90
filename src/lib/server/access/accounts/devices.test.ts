import { afterEach, expect, test, vi } from 'vitest';
import { createDevices, KNOWN_DAYS } from './devices.ts';

const devices = createDevices(new Uint8Array(32).fill(7), null);
const shown = (pair: string) => new Headers({ host: 'deck.example', cookie: `other=1; ${pair}` });
const pairOf = (name: string, from = devices): string => {
	const cookie = from.cookie(name, false);
	return `${cookie.name}=${cookie.value}`;
};
const DAY = 24 * 60 * 60 * 1000;

afterEach(() => vi.useRealTimers());

test('a browser is known under the name that signed in there, however it is spelt, and no other', () => {
	const pair = pairOf('Ada');
	expect(devices.known(shown(pair), ' aDA ')).not.toBeNull();
	expect(devices.known(shown(pair), 'bob')).toBeNull();
	// The value of one name in the cookie of another.
	const [, value = ''] = pair.split('=');
	const [bobs = ''] = pairOf('bob').split('=');
	expect(devices.known(shown(`${bobs}=${value}`), 'bob')).toBeNull();
});

test('every sign-in makes another one, and several people share a browser', () => {
	expect(pairOf('ada')).not.toBe(pairOf('ada'));
	const both = `${pairOf('ada')}; ${pairOf('bob')}`;
	expect(devices.known(shown(both), 'ada')).not.toBeNull();
	expect(devices.known(shown(both), 'bob')).not.toBeNull();
});

test('what was made up, changed, made with another key or too long ago shows nothing', () => {
	const [name = '', value = ''] = pairOf('ada').split('=');
	const [nonce, made, signature] = value.split('.');
	for (const wrong of [
		'',
		'..',
		'x',
		`${nonce}.${made}`,
		`${nonce}.${Number(made) + 1}.${signature}`,
		`x${nonce}.${made}.${signature}`,
		`${nonce}.${made}.${signature?.slice(1)}`,
		`${nonce}.${made}.ä${signature?.slice(1)}`
	]) {
		expect(devices.known(shown(`${name}=${wrong}`), 'ada')).toBeNull();
	}
	const others = createDevices(new Uint8Array(32).fill(8), null);
	expect(devices.known(shown(pairOf('ada', others)), 'ada')).toBeNull();
	vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + KNOWN_DAYS * DAY });
	expect(devices.known(shown(`${name}=${value}`), 'ada')).toBeNull();
});
