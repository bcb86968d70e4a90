import { describe, expect, it } from 'vitest';
import { addressedTo, createHostRule, isLoopbackHost, readHost } from './host.ts';

const nameOf = (text: string): string | null => readHost(text)?.name ?? null;

describe('a host', () => {
	it('is read in one form', () => {
		expect(readHost('LOCALHOST:3000')).toEqual({ name: 'localhost', port: 3000 });
		expect(readHost('localhost.')).toEqual({ name: 'localhost', port: null });
		expect(readHost('[::1]:80')).toEqual({ name: '::1', port: 80 });
		expect(nameOf('[0:0:0:0:0:0:0:1]')).toBe('::1');
		expect(nameOf('[::FFFF:127.0.0.1]')).toBe('127.0.0.1');
		expect(nameOf('[::ffff:7f00:1]')).toBe('127.0.0.1');
		expect(nameOf('Deck.Example.ORG.')).toBe('deck.example.org');
	});

	it.each([
		...[
			'',
			' ',
			':3000',
			'a b',
			'localhost,evil.example',
			'localhost evil.example',
			'user@localhost'
		],
		...['localhost@evil.example', 'localhost:', 'localhost:x', 'localhost:65536', 'localhost:-1'],
		...[
			'localhost:3000:3000',
			'::1',
			'[::1',
			'::1]',
			'[::1]x',
			'[::1%25lo]',
			'[fe80::1%lo]',
			'[1]'
		],
		...[
			'localhost/',
			'localhost/.evil.example',
			'localhost?',
			'localhost#',
			'localhost\\evil',
			'%6c'
		],
		...['localhost\t', 'localhost\0', 'localhost..', '..', '.', '*', 'localhost;', 'löcalhost', "'"]
	])('that is none is not guessed: %j', (text) => {
		expect(readHost(text)).toBeNull();
	});

	it.each(['localhost', 'deck.localhost', 'a.b.localhost.', '127.0.0.1', '127.9.8.7:1', '[::1]'])(
		'of this machine counts: %s',
		(text) => {
			expect(isLoopbackHost(readHost(text)!)).toBe(true);
		}
	);

	it.each([
		...['127.1', '2130706433', '0x7f000001', '0177.0.0.1', '127.0.0.01', '0', '0.0.0.0', '[::]'],
		...[
			'localhost.evil.example',
			'evil-localhost',
			'notlocalhost',
			'127.0.0.1.nip.io',
			'128.0.0.1'
		],
		...['localhost.localdomain', 'local', '[::2]', '[::ffff:10.0.0.1]', '10.0.0.1', 'xn--localhost']
	])('that only looks like this machine does not: %s', (text) => {
		expect(isLoopbackHost(readHost(text)!)).toBe(false);
	});
});

describe('the rule', () => {
	const rule = createHostRule({
		host: '0.0.0.0',
		origin: 'https://deck.example.org',
		hosts: [
			{ name: 'deck.lan', port: null },
			{ name: '10.0.0.9', port: 3000 }
		]
	});
	const takes = (text: string, localAddress = '127.0.0.1', own = rule): boolean =>
		own(readHost(text)!, localAddress);

	it('takes what is configured, with any port unless one is named', () => {
		for (const text of [
			'deck.example.org',
			'DECK.example.org:8443',
			'deck.lan:3000',
			'deck.lan.'
		]) {
			expect(takes(text), text).toBe(true);
		}
		expect(takes('10.0.0.9:3000')).toBe(true);
		expect(takes('10.0.0.9:3001')).toBe(false);
		expect(takes('10.0.0.9')).toBe(false);
	});

	it('takes the address that a connection came in on, and no other', () => {
		expect(takes('192.168.1.5:3000', '192.168.1.5')).toBe(true);
		expect(takes('192.168.1.5', '::ffff:192.168.1.5')).toBe(true);
		expect(takes('[fe80::1]', 'fe80::1%eth0')).toBe(true);
		expect(takes('192.168.1.6', '192.168.1.5')).toBe(false);
		expect(takes('0.0.0.0', '127.0.0.1')).toBe(false);
		expect(takes('[::]', '::1')).toBe(false);
	});

	it('takes the name or the address that the server listens on', () => {
		const on = (host: string) => createHostRule({ host, origin: null, hosts: [] });
		expect(takes('deck.home:3000', '10.0.0.5', on('deck.home'))).toBe(true);
		expect(takes('[2001:db8::5]', '::1', on('2001:db8::5'))).toBe(true);
		expect(takes('deck.home', '10.0.0.5', on('10.0.0.5'))).toBe(false);
	});

	it.each([
		'evil.example',
		'deck.example.org.evil.example',
		'evildeck.lan',
		'a.deck.lan',
		'example.org'
	])('takes no other name: %s', (text) => {
		expect(takes(text)).toBe(false);
	});
});

describe('a request', () => {
	const to = (url: string, ...rawHeaders: string[]) => addressedTo({ url, rawHeaders });

	it('names its host once', () => {
		expect(to('/x', 'A', 'Host', 'hOsT', 'localhost:1')).toMatchObject({ path: '/x' });
		expect(to('/x', 'Host', 'localhost', 'host', 'localhost')).toBeNull();
		expect(to('/x', 'Host', 'localhost, evil.example')).toBeNull();
		expect(to('/x', 'Host', '')).toBeNull();
		expect(to('/x')).toBeNull();
	});

	it('may name it in an absolute target, which then counts', () => {
		const asked = to('HTTP://Evil.Example:80/a?b', 'Host', 'localhost');
		expect(asked).toEqual({
			host: { name: 'evil.example', port: 80 },
			hostText: 'Evil.Example:80',
			path: '/a?b'
		});
		expect(to('https://localhost?b', 'Host', 'evil.example')).toMatchObject({ path: '/?b' });
		expect(to('http://localhost', 'Host', 'evil.example')?.hostText).toBe('localhost');
		for (const url of [
			'http://user@localhost/',
			'http:///x',
			'ftp://localhost/',
			'*',
			'x',
			'',
			'\\x'
		]) {
			expect(to(url, 'Host', 'localhost'), url).toBeNull();
		}
	});

	it('keeps a path that begins with two slashes a path', () => {
		expect(to('//evil.example/x', 'Host', 'localhost')).toMatchObject({
			hostText: 'localhost',
			path: '//evil.example/x'
		});
	});
});
