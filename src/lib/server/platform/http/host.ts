/**
 * Which host names this server answers for. A page of another site whose name suddenly resolves to this
 * machine (DNS rebinding) is same-origin with what it asks, so that only the name in the request tells it apart.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The host that a request names. */
export interface RequestHost {
	/** In lower case; an address in its one normal form, IPv6 without brackets. */
	name: string;
	port: number | null;
}

/** Decides whether a request for this host is for this server; `localAddress` is the connection's own end. */
export type HostRule = (host: RequestHost, localAddress: string | undefined) => boolean;

/** `uri-host [":" port]` (RFC 9110, 7.2) without what no browser sends: no escapes, no user, no zone. */
const HOST =
	/^(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9_])?\.?))(?::(\d{1,5}))?$/;

/** Texts whose reading is remembered: each request names a few of them, and mostly the same. */
const MOST_REMEMBERED = 500;

/** The same function, which reads each text once while it is among the last few hundred. */
function remembered<T>(read: (text: string) => T): (text: string) => T {
	const known = new Map<string, T>();
	return (text) => {
		let found = known.get(text);
		if (found === undefined) {
			found = read(text);
			if (known.size >= MOST_REMEMBERED) known.clear();
			known.set(text, found);
		}
		return found;
	};
}

/** An address in its normal form, IPv4 out of IPv6 as IPv4; null for what is no address. */
const normalAddress = remembered((text): string | null =>
	isIP(text) === 0 ? null : ipaddr.process(text).toString()
);

/** The longest name of DNS or address, brackets and port included. */
const LONGEST_HOST = 262;

const readShortHost = remembered((text): RequestHost | null => {
	const match = HOST.exec(text.toLowerCase());
	if (match === null) return null;
	const [, v6, dns = '', digits] = match;
	const port = digits === undefined ? null : Number(digits);
	if (port !== null && port > 65_535) return null;
	if (v6 !== undefined) {
		const name = normalAddress(v6);
		return name === null ? null : { name, port };
	}
	const name = dns.replace(/\.$/, '');
	return name.includes('..') ? null : { name: normalAddress(name) ?? name, port };
});

/** Reads a Host field or an authority; null for what does not name exactly one host. */
export const readHost = (text: string): RequestHost | null =>
	text.length > LONGEST_HOST ? null : readShortHost(text);

/** Whether an address is one that only this machine reaches. */
export const isLoopbackAddress = remembered((address): boolean => {
	const normal = normalAddress(address);
	return normal !== null && ipaddr.parse(normal).range() === 'loopback';
});

/** Names and addresses that browsers never look up elsewhere (RFC 6761, 6.3). */
export function isLoopbackHost({ name }: RequestHost): boolean {
	return name === 'localhost' || name.endsWith('.localhost') || isLoopbackAddress(name);
}

/** What decides which names count. */
interface HostSettings {
	/** HOST: a name or an address to listen on. */
	host: string;
	/** KOMODECK_ORIGIN. */
	origin: string | null;
	/** KOMODECK_HOSTS. */
	hosts: readonly RequestHost[];
}

/**
 * Loopback names always count, then the configured ones, then the address that the connection came in on:
 * a page cannot be of that origin without having been served by this machine.
 */
export function createHostRule({ host, origin, hosts }: HostSettings): HostRule {
	const configured = [...hosts];
	for (const text of [host, origin === null ? '' : new URL(origin).hostname]) {
		const read = readHost(isIP(text) === 6 ? `[${text}]` : text);
		// All addresses of the machine are no address that anybody asks for.
		if (read !== null && read.name !== '0.0.0.0' && read.name !== '::') {
			configured.push({ name: read.name, port: null });
		}
	}
	return (asked, localAddress) =>
		isLoopbackHost(asked) ||
		configured.some(
			({ name, port }) => name === asked.name && (port === null || port === asked.port)
		) ||
		(localAddress !== undefined &&
			isIP(asked.name) !== 0 &&
			normalAddress(localAddress.split('%', 1)[0] ?? '') === asked.name);
}

/** What of a request says for whom it is. */
interface AddressedRequest {
	/** The request target. */
	url: string;
	/** Names and values by turns, as Node gives them. */
	rawHeaders: readonly string[];
}

/** For whom a request is, and the path that it asks for; or null when it does not say so in one way. */
interface Addressed {
	host: RequestHost;
	/** As the request spells it. */
	hostText: string;
	path: string;
}

/** `http://authority/path` (RFC 9112, 3.2.2). */
const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i;

/**
 * Reads for whom a request is: one Host field, or the authority of an absolute target, which then stands in
 * the place of the field (RFC 9112, 3.2.2).
 */
export function addressedTo({ url, rawHeaders }: AddressedRequest): Addressed | null {
	let field: string | null = null;
	for (let at = 0; at < rawHeaders.length; at += 2) {
		if (rawHeaders[at]!.length !== 4 || rawHeaders[at]!.toLowerCase() !== 'host') continue;
		if (field !== null) return null;
		field = rawHeaders[at + 1]!;
	}
	if (field === null) return null;
	const isPath = url.startsWith('/');
	const [, authority, rest = ''] = (isPath ? null : ABSOLUTE.exec(url)) ?? [];
	if (authority === undefined && !isPath) return null;
	const hostText = authority ?? field;
	const host = readHost(hostText);
	if (host === null || (authority !== undefined && readHost(field) === null)) return null;
	const path = authority === undefined ? url : rest.startsWith('/') ? rest : `/${rest}`;
	return { host, hostText, path };
}
