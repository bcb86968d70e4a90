/** From which address a request comes, for what does not pass SvelteKit. */
import type { IncomingMessage } from 'node:http';

/** The part of a request that tells where it comes from. */
type Connected = Pick<IncomingMessage, 'headers' | 'socket'>;

/** Says from which address a request comes. */
export type CallerAddress = (request: Connected) => string;

/** ADDRESS_HEADER and XFF_DEPTH: where a proxy writes the address, and how many proxies stand in a row. */
export interface ProxyHeader {
	/** In lower case. */
	name: string;
	/** Counted from the right in `x-forwarded-for`, so that what a client wrote itself is never taken. */
	depth: number;
}

/** `192.0.2.1:443`, `[2001:db8::1]:443` or `[2001:db8::1]`. */
const WITH_PORT = /^(?:([0-9.]+):\d+|\[([0-9a-f:.]+)\](?::\d+)?)$/i;

/** An address without the port that some proxies write behind it: with it each connection would be another caller. */
export function withoutPort(address: string): string {
	const [, v4, v6] = WITH_PORT.exec(address) ?? [];
	return v4 ?? v6 ?? address;
}

/**
 * The same address as pages see (`adapter-node`, `handle/context.ts`): that of the connection, or what the proxy
 * in front wrote where one is configured. A request that passed the proxy by has that of its connection.
 *
 * @param proxy null where no proxy stands in front: then no header is believed
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
