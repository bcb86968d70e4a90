import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Has a server listen on a free port of this machine. @returns the port */
export async function listening(server: Pick<Server, 'listen' | 'address'>): Promise<number> {
	server.listen(0, '127.0.0.1');
	await once(server as Server, 'listening');
	return (server.address() as AddressInfo).port;
}
