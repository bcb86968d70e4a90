/** Opens and closes the devnet's servers, on 127.0.0.1 only. */
import type { Server as HttpServer } from 'node:http';
import type { Server } from 'node:net';

/** Starts listening; rejects when the port is in use. */
export const listenOnLoopback = (server: Server, port: number): Promise<void> =>
	new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, '127.0.0.1', () => {
			server.off('error', reject);
			resolve();
		});
	});

/** Stops listening and breaks open connections. */
export const closeAtOnce = (server: HttpServer): Promise<void> =>
	new Promise((resolve) => {
		server.close(() => resolve());
		server.closeAllConnections();
	});
