/** Networks in CIDR notation, and whether an address is in them. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A network and its prefix length. */
export interface Network {
	address: ipaddr.IPv4 | ipaddr.IPv6;
	bits: number;
}

/** Formats a network; a single address is written without prefix length. */
export function networkText({ address, bits }: Network): string {
	const whole = address.kind() === 'ipv4' ? 32 : 128;
	return bits === whole ? address.toString() : `${address.toString()}/${bits}`;
}

/**
 * Parses `10.0.0.0/8`, `192.0.2.7` or `2001:db8::/32`; null when invalid. An IPv4-mapped IPv6 address becomes
 * IPv4.
 */
export function readNetwork(text: string): Network | null {
	const match = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text.trim());
	const [, address = '', length] = match ?? [];
	if (isIP(address) === 0) return null;
	const given = ipaddr.parse(address);
	const parsed = ipaddr.process(address);
	const whole = parsed.kind() === 'ipv4' ? 32 : 128;
	// The prefix length of a mapped address includes the 96 bits before the IPv4 address.
	const mapped = given.kind() !== parsed.kind() ? 96 : 0;
	const bits = length === undefined ? whole : Number(length) - mapped;
	if (bits < 0 || bits > whole) return null;
	const range = `${parsed.toString()}/${bits}`;
	const network: ipaddr.IPv4 | ipaddr.IPv6 =
		parsed.kind() === 'ipv4'
			? ipaddr.IPv4.networkAddressFromCIDR(range)
			: ipaddr.IPv6.networkAddressFromCIDR(range);
	return { address: network, bits };
}

/** Whether an address is in one of the networks; false for a text that is no address. */
export function isWithin(address: string, networks: readonly Network[]): boolean {
	const plain = address.replace(/%.*$/, '');
	if (isIP(plain) === 0) return false;
	const parsed = ipaddr.process(plain);
	return networks.some(
		(network) =>
			network.address.kind() === parsed.kind() &&
			parsed.match([network.address as ipaddr.IPv4, network.bits])
	);
}
