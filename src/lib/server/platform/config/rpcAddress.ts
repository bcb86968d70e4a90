/** Where a daemon answers, by its own configuration file. */
import { isIP } from 'node:net';
import type { ParsedConf } from './conf.ts';

interface Bound {
	host: string;
	port: number | null;
}

/** `host`, `host:port`, `::1` or `[::1]:port`, as the daemon takes it apart. */
function boundTo(text: string): Bound {
	const [, inner, ownPort] = /^\[(.*)\](?::(\d+))?$/.exec(text) ?? [];
	if (inner !== undefined) return { host: inner, port: ownPort ? Number(ownPort) : null };
	const [, host, port] = /^([^:]*):(\d+)$/.exec(text) ?? [];
	return host === undefined ? { host: text, port: null } : { host, port: Number(port) };
}

/** Who listens everywhere is reached on this machine; so is looked for there whose address is not plain to see. */
function reachedAt(host: string): string {
	if (host === '::') return '::1';
	return host === '0.0.0.0' || isIP(host) === 0 || host.includes('%') ? '127.0.0.1' : host;
}

const isOfThisMachine = ({ host }: Bound): boolean =>
	reachedAt(host).startsWith('127.') || reachedAt(host) === '::1';

/**
 * Komodo daemon 0.9.0: `rpcbind` counts only beside `rpcallowip`, and may stand several times; without it the daemon
 * answers on this machine.
 *
 * @param rpcPort what `rpcport` says, or the usual port; null for none
 * @returns host as an address has it, and port; null where no port is named
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
