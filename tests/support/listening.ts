import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Has a server listen on this machine, on a free port unless one is given. @returns the port */
export async function listening(
	server: Pick<Server, 'listen' | 'address'>,
	port = 0
): Promise<number> {
	server.listen(port, '127.0.0.1');
	await once(server as Server, 'listening');
	return (server.address() as AddressInfo).port;
}
