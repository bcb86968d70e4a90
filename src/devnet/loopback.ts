/** How the servers of the network begin and end to listen, on 127.0.0.1 only. */
import type { Server as HttpServer } from 'node:http';
import type { Server } from 'node:net';

/** Starts to listen; rejects when the port is taken. */
export const listenOnLoopback = (server: Server, port: number): Promise<void> =>
	new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, '127.0.0.1', () => {
			server.off('error', reject);
			resolve();
		});
	});

/** Refuses connections from now on and breaks the open ones. */
export const closeAtOnce = (server: HttpServer): Promise<void> =>
	new Promise((resolve) => {
		server.close(() => resolve());
		server.closeAllConnections();
	});
