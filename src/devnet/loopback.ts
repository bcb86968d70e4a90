/** Opens and closes servers on 127.0.0.1 only. */
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

export type ClosableServer = Server & Pick<HttpServer, 'closeAllConnections'>;

/** Stops listening and breaks open connections. */
export const closeAtOnce = (server: ClosableServer): Promise<void> =>
	new Promise((resolve) => {
		server.close(() => resolve());
		server.closeAllConnections();
	});

/** A server of the devnet, which opens and closes any number of times. */
export abstract class LoopbackServer {
	readonly port: number;
	#server: ClosableServer | null = null;

	constructor(port: number) {
		this.port = port;
	}

	/** Returns a new server that does not listen yet. */
	protected abstract create(): ClosableServer;

	get isOpen(): boolean {
		return this.#server !== null;
	}

	/** Starts listening; rejects when the port is in use. */
	async open(): Promise<void> {
		if (this.#server) return;
		const server = this.create();
		await listenOnLoopback(server, this.port);
		this.#server = server;
	}

	/** Stops listening and breaks open connections. */
	async close(): Promise<void> {
		const server = this.#server;
		if (!server) return;
		this.#server = null;
		await closeAtOnce(server);
	}
}
