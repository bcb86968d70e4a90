/** The address of a daemon's RPC server, from its configuration file. */
import { isIP } from 'node:net';
import type { ParsedConf } from './conf.ts';

interface Bound {
	host: string;
	port: number | null;
}

/** Parses `host`, `host:port`, `::1` or `[::1]:port` as the daemon does. */
function boundTo(text: string): Bound {
	const [, inner, ownPort] = /^\[(.*)\](?::(\d+))?$/.exec(text) ?? [];
	if (inner !== undefined) return { host: inner, port: ownPort ? Number(ownPort) : null };
	const [, host, port] = /^([^:]*):(\d+)$/.exec(text) ?? [];
	return host === undefined ? { host: text, port: null } : { host, port: Number(port) };
}

/**
 * Returns the address to connect to: loopback for a daemon that listens on all addresses, and for names and
 * zoned addresses, which are not resolved here.
 */
function reachedAt(host: string): string {
	if (host === '::') return '::1';
	return host === '0.0.0.0' || isIP(host) === 0 || host.includes('%') ? '127.0.0.1' : host;
}

const isOfThisMachine = ({ host }: Bound): boolean =>
	reachedAt(host).startsWith('127.') || reachedAt(host) === '::1';

/**
 * Returns where to reach a daemon. Komodo daemon 0.9.0: `rpcbind` counts only together with `rpcallowip` and
 * may be repeated; without it the daemon listens on loopback.
 *
 * @param rpcPort the value of `rpcport`, or the default port; null for none
 * @returns the host in URL form and the port; null when no port is known
 */
export function rpcAddress(
	conf: ParsedConf,
	rpcPort: number | null
): { host: string; port: number } | null {
	const binds = conf.has('rpcallowip') ? conf.all('rpcbind').map(boundTo) : [];
	const bound = binds.find(isOfThisMachine) ?? binds[0] ?? { host: '', port: null };
	const port = bound.port ?? rpcPort;
	if (port === null) return null;
	const host = reachedAt(bound.host);
	return { host: host.includes(':') ? `[${host}]` : host, port };
}
