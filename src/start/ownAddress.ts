/** Listening hosts at which a browser on this machine can connect to `localhost`. */
const LOCAL: ReadonlySet<string> = new Set([
	...['localhost', '127.0.0.1', '::1', '::ffff:127.0.0.1'],
	...['0.0.0.0', '::']
]);

/**
 * Returns the URL at which a server listening on a host is opened. A name is preferred to an IP address,
 * because browsers refuse passkeys for the latter. A server on a single network address cannot be reached as
 * localhost.
 */
export function ownAddress(host: string, port: number): string {
	const local = `http://localhost:${port}`;
	if (LOCAL.has(host.toLowerCase())) return local;
	const named = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
	return URL.canParse(named) ? named : local;
}
