import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { LedgerApi } from '../ledger/api.ts';
import type { Certificate } from './certificate.ts';
import { Connection } from './connection.ts';
import { ScriptHashes } from './scriptHash.ts';
import { listenOnLoopback } from '../loopback.ts';

/** Interval at which subscriptions are checked, while there are any. */
const NOTIFY_EVERY_MS = 250;

interface ElectrumOptions {
	ticker: string;
	ledger: LedgerApi;
	ports: { tcp: number; ssl: number };
	certificate: Certificate;
	/** Called after a transaction was broadcast. */
	sent: () => void;
}

type Line = 'tcp' | 'ssl';
export const LINES: readonly Line[] = ['tcp', 'ssl'];

/** The Electrum server of one chain: a plain and a TLS port, on 127.0.0.1 only. */
export class ElectrumServer {
	readonly ticker: string;
	readonly ports: { tcp: number; ssl: number };
	readonly scripts: ScriptHashes;
	readonly #options: ElectrumOptions;
	readonly #servers = new Map<Line, Server>();
	readonly #connections = new Map<Connection, Line>();
	/** Milliseconds before each response. */
	latency = 0;
	#timer: NodeJS.Timeout | null = null;

	constructor(options: ElectrumOptions) {
		this.ticker = options.ticker;
		this.ports = options.ports;
		this.scripts = new ScriptHashes(options.ledger);
		this.#options = options;
	}

	isOpen(line: Line): boolean {
		return this.#servers.has(line);
	}

	/** Starts listening; rejects when the port is in use. */
	async open(line: Line): Promise<void> {
		if (this.#servers.has(line)) return;
		const accept = (socket: Socket): void => this.#accept(socket, line);
		const { cert, key } = this.#options.certificate;
		const server = line === 'tcp' ? createServer(accept) : createTlsServer({ cert, key }, accept);
		server.on('tlsClientError', () => {});
		await listenOnLoopback(server, this.ports[line]);
		this.#servers.set(line, server);
	}

	#accept(socket: Socket, line: Line): void {
		const { ledger, ports, sent } = this.#options;
		const connection = new Connection(socket, {
			ledger,
			scripts: this.scripts,
			ports,
			latency: () => this.latency,
			sent
		});
		this.#connections.set(connection, line);
		this.#timer ??= setInterval(() => this.#notify(), NOTIFY_EVERY_MS).unref();
		socket.on('close', () => {
			this.#connections.delete(connection);
			if (this.#connections.size > 0 || !this.#timer) return;
			clearInterval(this.#timer);
			this.#timer = null;
		});
	}

	#notify(): void {
		for (const connection of this.#connections.keys()) {
			if (connection.watches) connection.notify();
		}
	}

	/** Stops listening and breaks open connections. */
	async close(line: Line): Promise<void> {
		const server = this.#servers.get(line);
		if (!server) return;
		this.#servers.delete(line);
		const closed = new Promise<void>((resolve) => server.close(() => resolve()));
		for (const [connection, on] of this.#connections) if (on === line) connection.close();
		await closed;
	}

	async closeAll(): Promise<void> {
		await Promise.all(LINES.map((line) => this.close(line)));
	}
}
