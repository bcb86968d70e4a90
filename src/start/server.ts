import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { securityHeaders } from '#lib/server/auth/headers.ts';
import { networkOf } from '#lib/server/auth/loginThrottle.ts';
import { stands } from '#lib/server/guards/stands.ts';
import { discard } from '#lib/server/http/discard.ts';
import { plainPage, PLAIN_POLICY } from '#lib/server/http/plainPage.ts';
import { compressAnswer } from './compress.ts';
import { SlowReaders } from './slowReaders.ts';

/** SvelteKit's handler as adapter-node builds it. */
export type PageHandler = (
	request: IncomingMessage,
	response: ServerResponse,
	next: () => void
) => void;

export interface ServedParts {
	pages: PageHandler;
	/** The door for scripts, once the application has registered it. */
	door: () => ((request: IncomingMessage, response: ServerResponse) => Promise<void>) | undefined;
	/** What keeps the application from its work, in a few words; null when nothing does. */
	obstacle: () => Promise<string | null>;
	onError: (error: unknown) => void;
}

/** What one caller may take of the server. Times in milliseconds. */
export interface ServerLimits {
	/** From the beginning of a connection or request to the end of its head. */
	headMs: number;
	/** To the end of its body. */
	requestMs: number;
	/** How often connections are looked at. */
	checkMs: number;
	/** Request line and header fields together. */
	headBytes: number;
	headFields: number;
	/** The body of a request to a page; the door has a limit of its own. */
	bodyBytes: number;
	connections: number;
	connectionsPerAddress: number;
	/** What a reader must take of a long answer. */
	readerWindowMs: number;
	readerBytes: number;
}

export const LIMITS: ServerLimits = {
	headMs: 10_000,
	requestMs: 60_000,
	checkMs: 2_000,
	headBytes: 16 * 1024,
	headFields: 100,
	bodyBytes: 8 * 1024 * 1024,
	connections: 4_000,
	connectionsPerAddress: 1_000,
	readerWindowMs: 30_000,
	readerBytes: 64 * 1024
};

/** The name under which the protocol is told to SvelteKit; what a client sends under it is overwritten. */
export const PROTOCOL_HEADER = 'x-komodeck-protocol';

function plain(response: ServerResponse, status: number, text: string): void {
	response.writeHead(status, {
		'Content-Type': 'text/plain; charset=utf-8',
		'Cache-Control': 'no-store',
		'X-Content-Type-Options': 'nosniff'
	});
	response.end(text);
}

/** Refuses before the application sees the request: a page for browsers, a line for everybody else. */
function refuse(
	request: IncomingMessage,
	response: ServerResponse,
	status: number,
	title: string,
	sentence: string
): void {
	// What is left of the request is not read.
	response.shouldKeepAlive = false;
	response.setHeader('Connection', 'close');
	if (!(request.headers.accept ?? '').includes('text/html')) {
		plain(response, status, `${sentence}\n`);
		return;
	}
	response.writeHead(status, {
		...securityHeaders(false),
		'Content-Type': 'text/html; charset=utf-8',
		'Cache-Control': 'no-store',
		'Content-Security-Policy': PLAIN_POLICY
	});
	response.end(plainPage({ title, sentences: [sentence], requestId: null }));
}

/** Whether a request is larger than is taken; then it has been answered. */
function tooLarge(
	request: IncomingMessage,
	response: ServerResponse,
	limits: ServerLimits
): boolean {
	if (request.rawHeaders.length / 2 > limits.headFields && stands('head-limit')) {
		const most = `A request may have ${limits.headFields} header fields; this one has more, so nothing was done.`;
		refuse(request, response, 431, 'This request is too large', most);
		return true;
	}
	return false;
}

/** Whether the body is said to be larger than a page takes; then it has been answered. */
function bodyTooLarge(
	request: IncomingMessage,
	response: ServerResponse,
	limits: ServerLimits
): boolean {
	if (!(Number(request.headers['content-length'] ?? 0) > limits.bodyBytes)) return false;
	const most = `At most ${limits.bodyBytes} bytes are taken at once; nothing was done. Go back and send less.`;
	void discard(request).then(() =>
		refuse(request, response, 413, 'This is too much at once', most)
	);
	return true;
}

const DOOR_PATH = '/api/rpc/';

function throughDoor(
	parts: Pick<ServedParts, 'door' | 'onError'>,
	request: IncomingMessage,
	response: ServerResponse
): void {
	const door = parts.door();
	if (door === undefined) plain(response, 503, 'not ready\n');
	else door(request, response).catch(parts.onError);
}

/** Bounds how many connections there are and how slowly they may be used. */
function bounded(server: Server, limits: ServerLimits): Server {
	server.maxConnections = limits.connections;
	// One more than is taken, so that the one too many is seen.
	server.maxHeadersCount = limits.headFields + 1;
	const perAddress = new Map<string, number>();
	const readers = new SlowReaders({ windowMs: limits.readerWindowMs, bytes: limits.readerBytes });
	server.on('connection', (socket: Socket) => {
		const address = networkOf(socket.remoteAddress ?? '');
		const open = perAddress.get(address) ?? 0;
		if (open >= limits.connectionsPerAddress && stands('connection-limit')) {
			socket.destroy();
			return;
		}
		perAddress.set(address, open + 1);
		socket.once('close', () => {
			const left = (perAddress.get(address) ?? 1) - 1;
			if (left === 0) perAddress.delete(address);
			else perAddress.set(address, left);
		});
		readers.watch(socket);
	});
	const look = setInterval(() => readers.look(performance.now()), limits.checkMs).unref();
	server.once('close', () => clearInterval(look));
	return server;
}

/** Node's own limits: slow heads and bodies are answered 408, large heads 431. */
const nodeLimits = (limits: ServerLimits) => ({
	headersTimeout: limits.headMs,
	requestTimeout: limits.requestMs,
	connectionsCheckingInterval: limits.checkMs,
	maxHeaderSize: limits.headBytes,
	insecureHTTPParser: false,
	requireHostHeader: true
});

/**
 * The HTTP server of one daemon, for clients that cannot set a path: a call to `/` is one to the door's
 * address of that daemon, and every other path names no daemon, as with the daemon itself. A trading node
 * answers at any path (`anyPath`).
 */
export function createDaemonServer(
	daemonId: string,
	parts: Pick<ServedParts, 'door' | 'onError'>,
	changed: Partial<ServerLimits> = {},
	anyPath = false
): Server {
	const limits = { ...LIMITS, ...changed };
	const path = `${DOOR_PATH}${encodeURIComponent(daemonId)}`;
	const server = createServer(nodeLimits(limits), (request, response) => {
		if (tooLarge(request, response, limits)) return;
		request.url = anyPath || request.url === '/' ? path : DOOR_PATH;
		throughDoor(parts, request, response);
	});
	return bounded(server, limits);
}

/** The HTTP server: health answers, then the door, then pages. */
export function createWebServer(parts: ServedParts, changed: Partial<ServerLimits> = {}): Server {
	const limits = { ...LIMITS, ...changed };
	const server = createServer(nodeLimits(limits), (request, response) => {
		if (tooLarge(request, response, limits)) return;
		const path = (request.url ?? '').split('?', 1)[0] ?? '';
		if (path === '/healthz') {
			plain(response, 200, 'ok\n');
			return;
		}
		if (path === '/readyz') {
			parts.obstacle().then(
				(why) =>
					plain(
						response,
						why === null ? 200 : 503,
						why === null ? 'ready\n' : `not ready: ${why}\n`
					),
				(error: unknown) => {
					parts.onError(error);
					plain(response, 503, 'not ready\n');
				}
			);
			return;
		}
		if (path.startsWith(DOOR_PATH)) {
			throughDoor(parts, request, response);
			return;
		}
		if (bodyTooLarge(request, response, limits)) return;
		request.headers[PROTOCOL_HEADER] = 'http';
		// Files of the build do not pass the application, which sets the same for what it answers.
		if (stands('security-headers')) {
			for (const [name, value] of Object.entries(securityHeaders(false))) {
				response.setHeader(name, value);
			}
		}
		compressAnswer(request, response);
		parts.pages(request, response, () => plain(response, 404, 'Not found\n'));
	});
	return bounded(server, limits);
}

/** Listens; the port is the one that was really taken. */
export function listen(server: Server, port: number, host: string | undefined): Promise<number> {
	return new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen({ port, host }, () => {
			server.off('error', reject);
			const address = server.address();
			resolve(typeof address === 'object' && address !== null ? address.port : port);
		});
	});
}

/** Takes no new connections, lets requests in flight end, and closes what is left after `graceMs`. */
export async function stopListening(server: Server, graceMs: number): Promise<void> {
	const closed = new Promise((resolve) => {
		server.close(resolve);
	});
	server.closeIdleConnections();
	// A connection whose last answer has just gone out is idle only now.
	const sweep = setInterval(() => server.closeIdleConnections(), 20);
	const timer = setTimeout(() => server.closeAllConnections(), graceMs);
	await closed;
	clearInterval(sweep);
	clearTimeout(timer);
}
