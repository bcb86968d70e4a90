import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Returns the unit by which clients are counted: an IPv4 address, or the /64 network of an IPv6 address. */
export function networkOf(address: string): string {
	const plain = address.replace(/%.*$/, '');
	if (!isIPv6(plain)) return plain;
	const parsed = ipaddr.process(plain);
	if (parsed instanceof ipaddr.IPv4) return parsed.toString();
	return parsed.parts
		.slice(0, 4)
		.map((part) => part.toString(16))
		.join(':');
}
