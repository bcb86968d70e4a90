import { isIP } from 'node:net';
import { AppError } from '../../platform/errors/appError.ts';
import type { Target } from '../../platform/net/ranges.ts';

/** Host names in practical use; some internal ones have underscores. */
const NAME = /^(?!-)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*\.?$/;

/** Formats a target as `host:port`, IPv6 in brackets. */
export function targetText({ host, port }: Target): string {
	return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Validates host and port. @throws {AppError} `egress.target-invalid` */
function checkedTarget(host: string, port: number): Target {
	const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
	if (isIP(name) === 0 && (name.length > 253 || !NAME.test(name))) {
		throw new AppError('egress.target-invalid', { reason: 'host' });
	}
	if (!Number.isInteger(port) || port < 1 || port > 65_535) {
		throw new AppError('egress.target-invalid', { reason: 'port' });
	}
	return { host: name, port };
}

/**
 * Parses `host:port` as server lists write it, without a scheme.
 * @throws {AppError} `egress.target-invalid`
 */
export function readTarget(text: string): Target {
	const trimmed = text.trim();
	if (trimmed.includes('://')) {
		throw new AppError('egress.target-invalid', { reason: 'with-scheme' });
	}
	const match = /^(\[[0-9a-fA-F:.]+\]|[^:[\]\s/@?#]+):(\d{1,5})$/.exec(trimmed);
	if (!match) {
		throw new AppError('egress.target-invalid', { reason: 'without-port' });
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
 * Parses an address with one of these schemes. Credentials in it are refused: they would be shown wherever
 * the address is.
 * @throws {AppError} `egress.target-invalid`, `egress.scheme-invalid`
 */
export function readUrl(
	text: string,
	schemes: readonly UrlScheme[]
): { url: URL; scheme: UrlScheme; target: Target } {
	const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
	const scheme = schemes.find((one) => url?.protocol === `${one}:`);
	if (url === null || scheme === undefined) {
		throw new AppError('egress.scheme-invalid', { schemes });
	}
	if (url.username !== '' || url.password !== '') {
		throw new AppError('egress.target-invalid', { reason: 'with-login' });
	}
	const port = url.port === '' ? DEFAULT_PORTS[scheme] : Number(url.port);
	return { url, scheme, target: checkedTarget(url.hostname, port) };
}
