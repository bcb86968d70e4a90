/** Determines the client address of requests that do not pass through SvelteKit. */
import type { IncomingMessage } from 'node:http';

/** The parts of a request that determine its address. */
type Connected = Pick<IncomingMessage, 'headers' | 'socket'>;

/** Returns the client address of a request. */
export type CallerAddress = (request: Connected) => string;

/**
 * ADDRESS_HEADER and XFF_DEPTH: the header in which a proxy writes the address, and the number of chained
 * proxies.
 */
export interface ProxyHeader {
	/** Lowercase. */
	name: string;
	/**
	 * Position counted from the right in `x-forwarded-for`, so that entries written by the client itself are
	 * never used.
	 */
	depth: number;
}

/** `192.0.2.1:443`, `[2001:db8::1]:443` or `[2001:db8::1]`. */
const WITH_PORT = /^(?:([0-9.]+):\d+|\[([0-9a-f:.]+)\](?::\d+)?)$/i;

/** Removes the port that some proxies append: with it each connection would count as another client. */
export function withoutPort(address: string): string {
	const [, v4, v6] = WITH_PORT.exec(address) ?? [];
	return v4 ?? v6 ?? address;
}

/**
 * Determines the same address as pages see (`adapter-node`, `handle/context.ts`): that of the connection, or
 * what the configured proxy wrote. A request that bypassed the proxy has the address of its connection.
 *
 * @param proxy null without a proxy: then no header is trusted
 */
export function createCallerAddress(proxy: ProxyHeader | null): CallerAddress {
	const connected = ({ socket }: Connected): string => socket.remoteAddress ?? 'unknown';
	if (proxy === null) return connected;
	return (request) => {
		const value = request.headers[proxy.name];
		if (value === undefined) return connected(request);
		const text = Array.isArray(value) ? value.join(',') : value;
		if (proxy.name !== 'x-forwarded-for') return withoutPort(text);
		const named = text.split(',').at(-proxy.depth);
		return named === undefined ? connected(request) : withoutPort(named.trim());
	};
}
