/** Raw test servers: plain, with TLS, with HTTP and with WebSockets, each on a free port. */
import { readFileSync } from 'node:fs';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTls } from 'node:tls';
import { WebSocketServer, type WebSocket } from 'ws';

export interface TestServer {
	port: number;
	/** Connections that reached it. */
	readonly connections: number;
	stop(): Promise<void>;
}

/** A certificate for `electrum.example` that no authority has signed. */
const testdata = (name: string): Buffer =>
	readFileSync(join(import.meta.dirname, 'testdata', name));

async function listening(server: Server, host: string, port = 0): Promise<TestServer> {
	const sockets = new Set<Socket>();
	let connections = 0;
	server.on('connection', (socket: Socket) => {
		connections += 1;
		sockets.add(socket);
		socket.on('error', () => undefined);
		socket.on('close', () => sockets.delete(socket));
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, host, resolve);
	});
	return {
		port: (server.address() as AddressInfo).port,
		get connections() {
			return connections;
		},
		stop: () =>
			new Promise((resolve) => {
				for (const socket of sockets) socket.destroy();
				server.close(() => resolve());
			})
	};
}

export const plainServer = (
	serve: (socket: Socket) => void,
	host = '127.0.0.1',
	port = 0
): Promise<TestServer> => listening(createServer(serve), host, port);

export const tlsServer = (serve: (socket: Socket) => void): Promise<TestServer> => {
	const server = createTls(
		{ cert: testdata('localhost.cert.pem'), key: testdata('localhost.key.pem') },
		serve
	);
	server.on('tlsClientError', () => undefined);
	return listening(server, '127.0.0.1');
};

export const httpServer = (serve: RequestListener): Promise<TestServer> =>
	listening(createHttp(serve), '127.0.0.1');

export async function webSocketServer(serve: (web: WebSocket) => void): Promise<TestServer> {
	const http = createHttp();
	const web = new WebSocketServer({ server: http });
	web.on('connection', serve);
	return listening(http, '127.0.0.1');
}

/** Answers each line like an Electrum server; `change` may replace responses. */
export function electrum(
	change: (method: string, id: number) => unknown = () => undefined
): (text: string) => string {
	return (text) => {
		const { id, method } = JSON.parse(text) as { id: number; method: string };
		const changed = change(method, id);
		if (changed !== undefined) return JSON.stringify(changed);
		const result =
			method === 'server.version'
				? ['ElectrumX 1.16.0', '1.4']
				: { height: 4321, hex: '04'.repeat(120) };
		return JSON.stringify({ jsonrpc: '2.0', id, result });
	};
}

/** Answers lines of a connection. */
export function lines(answer: (text: string) => string): (socket: Socket) => void {
	return (socket) => {
		let buffered = '';
		socket.setEncoding('utf8').on('data', (chunk: string) => {
			buffered += chunk;
			const whole = buffered.split('\n');
			buffered = whole.pop() ?? '';
			for (const line of whole) socket.write(`${answer(line)}\n`);
		});
	};
}
