/**
 * Which host names this server accepts. With DNS rebinding, the domain of another site resolves to this
 * machine, and its pages count as same-origin with this server: only the Host header of their requests reveals
 * them.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

/** The host that a request is addressed to. */
export interface RequestHost {
	/** Lowercase; an IP address in canonical form, IPv6 without brackets. */
	name: string;
	port: number | null;
}

/** Decides whether a request for this host is accepted; `localAddress` is the local address of the connection. */
export type HostRule = (host: RequestHost, localAddress: string | undefined) => boolean;

/**
 * `uri-host [":" port]` (RFC 9110, 7.2) without what browsers never send: percent-encoding, user information,
 * zone ids.
 */
const HOST =
	/^(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9_])?\.?))(?::(\d{1,5}))?$/;

/** Size of each cache of parsed texts: requests mostly repeat the same few. */
const MOST_REMEMBERED = 500;

/** Caches a function of a text. */
function remembered<T>(read: (text: string) => T): (text: string) => T {
	const known = new LRUCache<string, { found: T }>({ max: MOST_REMEMBERED });
	return (text) => {
		let entry = known.get(text);
		if (entry === undefined) known.set(text, (entry = { found: read(text) }));
		return entry.found;
	};
}

/** Returns an IP address in canonical form, an IPv4-mapped IPv6 address as IPv4; null for anything else. */
const normalAddress = remembered((text): string | null =>
	isIP(text) === 0 ? null : ipaddr.process(text).toString()
);

/** The longest DNS name or address, with brackets and port. */
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

/** Parses a Host header or an authority; null when it does not name exactly one host. */
export const readHost = (text: string): RequestHost | null =>
	text.length > LONGEST_HOST ? null : readShortHost(text);

/** Whether an address is a loopback address. */
export const isLoopbackAddress = remembered((address): boolean => {
	const normal = normalAddress(address);
	return normal !== null && ipaddr.parse(normal).range() === 'loopback';
});

/** Whether a host is loopback, by names that browsers never resolve elsewhere (RFC 6761, 6.3) or by address. */
export function isLoopbackHost({ name }: RequestHost): boolean {
	return name === 'localhost' || name.endsWith('.localhost') || isLoopbackAddress(name);
}

/** Settings that determine the accepted names. */
interface HostSettings {
	/** HOST: the name or address to listen on. */
	host: string;
	/** KOMODECK_ORIGIN. */
	origin: string | null;
	/** KOMODECK_HOSTS. */
	hosts: readonly RequestHost[];
}

/**
 * Creates the rule. Accepted are loopback names, the configured names, and the IP address that the connection
 * came in on: a page can have that address as its origin only when this machine served it.
 */
export function createHostRule({ host, origin, hosts }: HostSettings): HostRule {
	const configured = [...hosts];
	for (const text of [host, origin === null ? '' : new URL(origin).hostname]) {
		const read = readHost(isIP(text) === 6 ? `[${text}]` : text);
		// The wildcard address is no address of a request.
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

/** The parts of a request that say which host it is addressed to. */
interface AddressedRequest {
	/** The request target. */
	url: string;
	/** Names and values alternately, as Node provides them. */
	rawHeaders: readonly string[];
}

/** The host that a request is addressed to, and its path. */
interface Addressed {
	host: RequestHost;
	/** As the request spells it. */
	hostText: string;
	path: string;
}

/** `http://authority/path` (RFC 9112, 3.2.2). */
const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i;

/**
 * Determines the host of a request: from its only Host header, or from the authority of an absolute-form
 * target, which then overrides the header (RFC 9112, 3.2.2). Null when that is ambiguous or invalid.
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
