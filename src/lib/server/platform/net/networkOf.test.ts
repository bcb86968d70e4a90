import { describe, expect, it } from 'vitest';
import { networkOf } from './networkOf.ts';

describe('clients are counted', () => {
	it.each([
		['192.0.2.7', '192.0.2.7'],
		['::ffff:192.0.2.7', '192.0.2.7'],
		['::FFFF:192.0.2.7', '192.0.2.7'],
		['::ffff:c000:207', '192.0.2.7'],
		['::192.0.2.7', '192.0.2.7']
	])('one by one when they have an IPv4 address, as %s', (address, network) => {
		expect(networkOf(address)).toBe(network);
	});

	it.each([
		['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
		['2001:0DB8:0001:0002::', '2001:db8:1:2'],
		['2001:db8::5:6', '2001:db8:0:0'],
		['2001:db8:1:2:3::', '2001:db8:1:2'],
		['::1', '0:0:0:0'],
		['::', '0:0:0:0'],
		['64:ff9b::192.0.2.7', '64:ff9b:0:0'],
		['fe80::1%eth0', 'fe80:0:0:0'],
		['fe80:0:0:1::2%1', 'fe80:0:0:1']
	])('by the first 64 bits of an IPv6 address such as %s', (address, network) => {
		expect(networkOf(address)).toBe(network);
	});

	it('by a text that is no address as it is', () => {
		expect(networkOf('')).toBe('');
		expect(networkOf('unknown')).toBe('unknown');
	});
});
