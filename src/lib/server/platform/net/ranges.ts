/** Classifies IP addresses as public or local, and decides which local ones requests may reach. */
import { CONFIG_NOTES } from '#lib/messages/configNotes.ts';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { AppError } from '../errors/appError.ts';

/** A server by name or address, with its port. */
export interface Target {
	/** Lowercase, without the brackets of an IPv6 address. */
	host: string;
	port: number;
}

/** Global unicast addresses (RFC 4291, section 2.4). */
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Parses an address, with IPv4-mapped ones (`::ffff:127.0.0.1`) as IPv4; null for anything else. */
function plain(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
	// Abbreviations such as 127.1 count as names: their resolved addresses are checked later.
	if (isIP(address) === 0) return null;
	return ipaddr.process(address);
}

/**
 * Whether an address is on the public internet. Loopback, private, link-local (cloud metadata), shared (CGNAT),
 * multicast, reserved, mapped and translated addresses are not.
 */
export function isPublicAddress(address: string): boolean {
	const parsed = plain(address);
	if (parsed === null || parsed.range() !== 'unicast') return false;
	return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_V6);
}

/** An entry in the list of private servers that may be reached. */
export type ListedPrivate =
	| { kind: 'name'; name: string; port: number | null }
	| { kind: 'range'; range: [ipaddr.IPv4 | ipaddr.IPv6, number]; port: number | null };

/** `10.0.0.0/8`, `10.1.2.3`, `10.1.2.3:50001`, `electrum.local`, `electrum.local:50001`, `[fd00::1]:50001`. */
export function readListedPrivate(text: string): ListedPrivate | null {
	const line = text.trim().toLowerCase();
	if (ipaddr.isValidCIDR(line)) {
		return { kind: 'range', range: ipaddr.parseCIDR(line), port: null };
	}
	if (ipaddr.isValid(line)) return single(line, null);
	const match = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]{1,253})(?::(\d{1,5}))?$/.exec(line);
	if (!match) return null;
	const port = match[2] === undefined ? null : Number(match[2]);
	if (port !== null && (port < 1 || port > 65_535)) return null;
	const host = match[1]!.replace(/^\[(.*)\]$/, '$1');
	return ipaddr.isValid(host) ? single(host, port) : { kind: 'name', name: host, port };
}

function single(address: string, port: number | null): ListedPrivate {
	const parsed = ipaddr.process(address);
	return { kind: 'range', range: [parsed, parsed instanceof ipaddr.IPv4 ? 32 : 128], port };
}

/**
 * Parses a comma-separated list.
 * @throws {AppError} `config.invalid` with a sentence per mistake
 */
export function readPrivateList(text: string, where: string): ListedPrivate[] {
	const lines = text
		.split(',')
		.map((line) => line.trim())
		.filter(Boolean);
	const read = lines.map((line) => ({ line, listed: readListedPrivate(line) }));
	const wrong = read.filter(({ listed }) => listed === null);
	if (wrong.length > 0) {
		throw new AppError('config.invalid', {
			problems: wrong.map(({ line }) => CONFIG_NOTES.noTarget(where, line))
		});
	}
	return read.flatMap(({ listed }) => listed ?? []);
}

/** Whether a connection to this resolved address may be made for this target. */
export function mayReach(
	target: Target,
	address: string,
	listed: readonly ListedPrivate[]
): boolean {
	if (isPublicAddress(address)) return true;
	const parsed = plain(address);
	if (parsed === null) return false;
	return listed.some((one) => {
		if (one.port !== null && one.port !== target.port) return false;
		if (one.kind === 'name') return one.name === target.host.replace(/\.$/, '');
		const [range, bits] = one.range;
		return range.kind() === parsed.kind() && parsed.match([range as ipaddr.IPv4, bits]);
	});
}
