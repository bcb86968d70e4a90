import { isIP } from 'node:net';
import type { Target } from '../../platform/net/ranges.ts';
import { EgressError } from './errors.ts';

/** Names as they are in use; underscores stand in some internal ones. */
const NAME = /^(?!-)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*\.?$/;

/** The target as it is written: `host:port`, IPv6 in brackets. */
export function targetText({ host, port }: Target): string {
	return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}

/** @throws {EgressError} `bad-target` */
function checkedTarget(host: string, port: number): Target {
	const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
	if (isIP(name) === 0 && (name.length > 253 || !NAME.test(name))) {
		throw new EgressError('bad-target', 'This is not the name or address of a server.');
	}
	if (!Number.isInteger(port) || port < 1 || port > 65_535) {
		throw new EgressError('bad-target', 'A port is a whole number from 1 to 65535.');
	}
	return { host: name, port };
}

/**
 * Reads `host:port` as server lists write it, without a scheme.
 * @throws {EgressError} `bad-target`
 */
export function readTarget(text: string): Target {
	const trimmed = text.trim();
	if (trimmed.includes('://')) {
		throw new EgressError(
			'bad-target',
			'Write the server as host:port, without "://": the protocol is chosen beside it.'
		);
	}
	const match = /^(\[[0-9a-fA-F:.]+\]|[^:[\]\s/@?#]+):(\d{1,5})$/.exec(trimmed);
	if (!match) {
		throw new EgressError(
			'bad-target',
			'Write the server as host:port, for example node.example:20001.'
		);
	}
	return checkedTarget(match[1]!, Number(match[2]));
}

export type UrlScheme = 'http' | 'https' | 'ws' | 'wss';

const DEFAULT_PORTS: Readonly<Record<UrlScheme, number>> = {
	http: 80,
	https: 443,
	ws: 80,
	wss: 443
};

/**
 * Reads an address with a scheme. A login in it is refused: it would be shown wherever the address is.
 * @throws {EgressError} `bad-target`
 */
export function readUrl(
	text: string,
	schemes: readonly UrlScheme[]
): { url: URL; scheme: UrlScheme; target: Target } {
	const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
	const scheme = schemes.find((one) => url?.protocol === `${one}:`);
	if (url === null || scheme === undefined) {
		const kinds = schemes.map((one) => `${one}://`).join(' or ');
		throw new EgressError('bad-target', `Write a whole address that begins with ${kinds}.`);
	}
	if (url.username !== '' || url.password !== '') {
		throw new EgressError(
			'bad-target',
			'Leave the login out of the address: everybody would see it.'
		);
	}
	const port = url.port === '' ? DEFAULT_PORTS[scheme] : Number(url.port);
	return { url, scheme, target: checkedTarget(url.hostname, port) };
}
