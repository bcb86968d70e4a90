import { createServer } from 'node:net';

/** Error codes that mean that the host, not the port, cannot be listened on. */
const OF_THE_HOST: ReadonlySet<string> = new Set([
	...['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EAFNOSUPPORT', 'EINVAL']
]);

/** Tells whether the code of a failed `listen` means that no port of this host can be listened on. */
export const isOfTheHost = (code: string): boolean => OF_THE_HOST.has(code);

/** Returns the error code with which a host cannot be listened on, on any port; null when it can. */
export function hostFault(host: string): Promise<string | null> {
	return new Promise((resolve) => {
		const server = createServer();
		server.once('error', ({ code = '' }: NodeJS.ErrnoException) =>
			resolve(isOfTheHost(code) ? code : null)
		);
		server.listen({ port: 0, host }, () => server.close(() => resolve(null)));
	});
}
