import { expect, it } from 'vitest';
import { isWithin, networkText, readNetwork } from './networks.ts';

const read = (text: string): string | null => {
	const network = readNetwork(text);
	return network && networkText(network);
};

it('reads networks and single addresses of both kinds, and writes each in one way', () => {
	expect(read('10.1.2.3/8')).toBe('10.0.0.0/8');
	expect(read(' 192.0.2.7 ')).toBe('192.0.2.7');
	expect(read('192.0.2.7/32')).toBe('192.0.2.7');
	expect(read('0.0.0.0/0')).toBe('0.0.0.0/0');
	expect(read('2001:DB8:1::7/32')).toBe('2001:db8::/32');
	expect(read('::1')).toBe('::1');
	expect(read('::ffff:10.1.2.3')).toBe('10.1.2.3');
	expect(read('::ffff:10.1.2.3/104')).toBe('10.0.0.0/8');
});

it('takes nothing for a network that is none', () => {
	for (const text of [
		'',
		'10.0.0/8',
		'10.0.0.0/33',
		'10.0.0.0/',
		'10.0.0.0/-1',
		'::/129',
		'localhost',
		'10.0.0.1 10.0.0.2',
		'0x7f.1',
		'::ffff:10.0.0.1/95'
	]) {
		expect(readNetwork(text), text).toBeNull();
	}
});

it('finds an address in its network in whatever form it comes, and no other', () => {
	const networks = ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32'].flatMap(
		(text) => readNetwork(text) ?? []
	);
	expect(networks).toHaveLength(3);
	for (const address of [
		'10.255.0.1',
		'::ffff:10.0.0.1',
		'192.0.2.7',
		'2001:db8::7',
		'2001:db8:ffff::1%eth0'
	]) {
		expect(isWithin(address, networks), address).toBe(true);
	}
	for (const address of [
		'11.0.0.1',
		'192.0.2.8',
		'::1',
		'2001:db9::1',
		'unknown',
		'',
		'10.0.0.1, 192.0.2.7'
	]) {
		expect(isWithin(address, networks), address).toBe(false);
	}
	expect(isWithin('10.0.0.1', [])).toBe(false);
});
