/** Hosts that a browser on this machine reaches by the name of the machine itself. */
const LOCAL: ReadonlySet<string> = new Set([
	...['localhost', '127.0.0.1', '::1', '::ffff:127.0.0.1'],
	...['0.0.0.0', '::']
]);

/**
 * Where what listens on a host is opened. A name, not a number, where that is possible: passkeys are refused for an
 * address. What listens on one address of the network alone does not answer by that name.
 */
export function ownAddress(host: string, port: number): string {
	const local = `http://localhost:${port}`;
	if (LOCAL.has(host.toLowerCase())) return local;
	const named = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
	return URL.canParse(named) ? named : local;
}
