import { expect, it } from 'vitest';
import { isPublicAddress, mayReach, readListedPrivate, readPrivateList } from './ranges.ts';

it('takes no private, local, shared, mapped, translated, reserved or multicast address for a public one', () => {
	for (const address of [
		...['127.0.0.1', '127.255.255.254', '0.0.0.0', '0.1.2.3', '10.0.0.1', '172.16.0.1'],
		...['172.31.255.255', '192.168.1.1', '169.254.169.254', '169.254.0.1', '100.64.0.1'],
		...['100.127.255.255', '192.0.0.1', '192.0.2.1', '198.18.0.1', '198.51.100.7', '203.0.113.9'],
		...['224.0.0.1', '240.0.0.1', '255.255.255.255'],
		...['::1', '::', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd00:ec2::254', 'ff02::1'],
		...['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:a9fe:a9fe', '::7f00:1', '::127.0.0.1'],
		...['64:ff9b::7f00:1', '2002:7f00:1::1', '2001:0:7f00:1::1', '2001:db8::1', '100::1'],
		...['', 'localhost', '1.2.3', '300.1.1.1']
	]) {
		expect(isPublicAddress(address), address).toBe(false);
	}
});

it('takes the addresses of the internet for public, also in the mapped spelling', () => {
	for (const address of ['1.1.1.1', '95.217.1.2', '172.32.0.1', '100.128.0.1', '::ffff:1.1.1.1']) {
		expect(isPublicAddress(address), address).toBe(true);
	}
	expect(isPublicAddress('2a01:4f9:c010:1::1')).toBe(true);
	expect(isPublicAddress('2606:4700:4700::1111')).toBe(true);
});

it('opens a private address by its range, by itself, by its port, or by the name that leads there', () => {
	const may = (list: string, host: string, port: number, address: string): boolean =>
		mayReach({ host, port }, address, readPrivateList(list, 'TEST'));
	expect(may('', 'a.example', 1, '10.1.2.3')).toBe(false);
	expect(may('10.0.0.0/8', 'a.example', 1, '10.1.2.3')).toBe(true);
	expect(may('10.0.0.0/8', 'a.example', 1, '::ffff:10.1.2.3')).toBe(true);
	expect(may('10.0.0.0/8', 'a.example', 1, '192.168.0.1')).toBe(false);
	expect(may('127.0.0.1:50001', '127.0.0.1', 50_001, '127.0.0.1')).toBe(true);
	expect(may('127.0.0.1:50001', '127.0.0.1', 22, '127.0.0.1')).toBe(false);
	expect(may('127.0.0.1', 'x.example', 22, '127.0.0.1')).toBe(true);
	expect(may('electrum.lan, fd00::/8', 'electrum.lan', 9, '192.168.7.7')).toBe(true);
	expect(may('electrum.lan, fd00::/8', 'electrum.lan.', 9, '192.168.7.7')).toBe(true);
	expect(may('electrum.lan, fd00::/8', 'other.lan', 9, '192.168.7.7')).toBe(false);
	expect(may('electrum.lan, fd00::/8', 'other.lan', 9, 'fd00::7')).toBe(true);
	expect(may('[fd00::1]:50001', 'fd00::1', 50_001, 'fd00::1')).toBe(true);
	expect(may('[fd00::1]:50001', 'fd00::1', 50_002, 'fd00::1')).toBe(false);
});

it('says which line of the list cannot be read', () => {
	expect(readListedPrivate('10.0.0.0/40')).toBeNull();
	expect(() => readPrivateList('10.0.0.0/8, http://x, a b', 'KOMODECK_PRIVATE_SERVERS')).toThrow(
		/KOMODECK_PRIVATE_SERVERS: "http:\/\/x" is no address/
	);
});
