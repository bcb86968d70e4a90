import { PLAIN_ANSWERS } from '#lib/messages/plainAnswers.ts';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { securityHeaders } from '#lib/server/platform/http/headers.ts';
import { addressedTo, type HostRule } from '#lib/server/platform/http/host.ts';
import type { Reached } from '#lib/server/platform/http/plainHttp.ts';
import { plainPage, PLAIN_POLICY } from '#lib/server/platform/http/plainPage.ts';
import { networkOf } from '#lib/server/platform/net/networkOf.ts';
import { compressAnswer } from './compress.ts';
import { SlowReaders } from './slowReaders.ts';
import { LastAfterUnreadBody } from './unreadBody.ts';
import { keepWhole } from './wholeAnswer.ts';

/** SvelteKit's handler as adapter-node builds it. */
export type PageHandler = (
	request: IncomingMessage,
	response: ServerResponse,
	next: () => void
) => unknown;

export interface ServedParts {
	pages: PageHandler;
	/** The RPC API for scripts, once the application has registered it. */
	rpcApi: () => ((request: IncomingMessage, response: ServerResponse) => Promise<void>) | undefined;
	/** What keeps the application from its work, in a few words; null when nothing does. */
	obstacle: () => Promise<string | null>;
	onError: (error: unknown) => void;
	/** It was asked to end: what is kept open is not used again. */
	isEnding?: () => boolean;
	/** Whether requests for this host are for this server. */
	isOurHost: HostRule;
	/** Hears of each request that is carried out: the host that it names, and from where it comes. */
	reached: (request: Reached) => void;
}

/** What one caller may take of the server. Times in milliseconds. */
export interface ServerLimits {
	/** From the beginning of a connection or request to the end of its head. */
	headMs: number;
	/** To the end of its body. */
	requestMs: number;
	/**
	 * How long a connection is kept for a next request: longer than a daemon keeps one (30 s), because its clients send
	 * the next call on it without a look, and longer than proxies keep theirs (60 s).
	 */
	idleMs: number;
	/** How often connections are looked at. */
	checkMs: number;
	/** Request line and header fields together. */
	headBytes: number;
	headFields: number;
	connections: number;
	connectionsPerAddress: number;
	/** What a reader must take of a long answer. */
	readerWindowMs: number;
	readerBytes: number;
}

export const LIMITS: ServerLimits = {
	headMs: 10_000,
	requestMs: 60_000,
	idleMs: 65_000,
	checkMs: 2_000,
	headBytes: 16 * 1024,
	headFields: 100,
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

/** Connections whose last answer has been given: what was sent behind it on the same one is not carried out. */
const ended = new WeakSet<Socket>();

/** Ends the connection with this answer; what is left of the request is not read. */
function endAfter(request: IncomingMessage, response: ServerResponse): void {
	ended.add(request.socket);
	response.shouldKeepAlive = false;
	response.setHeader('Connection', 'close');
}

/** Refuses before the application sees the request: a page for browsers, a line for everybody else. */
function refuse(
	request: IncomingMessage,
	response: ServerResponse,
	status: number,
	title: string,
	sentence: string
): void {
	endAfter(request, response);
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
	if (request.rawHeaders.length / 2 > limits.headFields) {
		const most = PLAIN_ANSWERS.tooManyFields(limits.headFields);
		refuse(request, response, 431, PLAIN_ANSWERS.tooLarge, most);
		return true;
	}
	return false;
}

/**
 * Whether a request is for another host, or does not say for which one; then it has been answered. After this
 * the Host field and the path are those that count, whichever way the request named them.
 */
function isMisdirected(
	request: IncomingMessage,
	response: ServerResponse,
	isOurHost: HostRule
): boolean {
	const addressed = addressedTo({ url: request.url ?? '', rawHeaders: request.rawHeaders });
	if (addressed !== null && isOurHost(addressed.host, request.socket.localAddress)) {
		request.headers.host = addressed.hostText;
		request.url = addressed.path;
		return false;
	}
	endAfter(request, response);
	if (addressed === null) plain(response, 400, `${PLAIN_ANSWERS.noHost}\n`);
	else plain(response, 421, `${PLAIN_ANSWERS.unknownHost}\n`);
	return true;
}

const RPC_PATH = '/api/rpc/';

function throughRpcApi(
	parts: Pick<ServedParts, 'rpcApi' | 'onError'>,
	request: IncomingMessage,
	response: ServerResponse
): void {
	const rpcApi = parts.rpcApi();
	if (rpcApi === undefined) plain(response, 503, 'not ready\n');
	else rpcApi(request, response).catch(parts.onError);
}

function reached(parts: Pick<ServedParts, 'reached'>, { headers, socket }: IncomingMessage): void {
	parts.reached({ host: headers.host ?? '', peer: socket.remoteAddress });
}

/** A page whose making fails outside of SvelteKit's own care is answered 500, and the server goes on. */
function servePage(parts: ServedParts, request: IncomingMessage, response: ServerResponse): void {
	const failed = (error: unknown): void => {
		parts.onError(error);
		if (response.headersSent) response.destroy();
		else plain(response, 500, `${PLAIN_ANSWERS.failed}\n`);
	};
	try {
		const next = (): void => plain(response, 404, `${PLAIN_ANSWERS.notFound}\n`);
		Promise.resolve(parts.pages(request, response, next)).catch(failed);
	} catch (error) {
		failed(error);
	}
}

/** Bounds how many connections there are and how slowly they may be used. */
function bounded(server: Server, limits: ServerLimits, onError: ServedParts['onError']): Server {
	server.maxConnections = limits.connections;
	// A connection that cannot be taken (no file descriptor is left, say) concerns that one only.
	server.on('error', (error) => {
		if (server.listening) onError(error);
	});
	// One more than is taken, so that the one too many is seen.
	server.maxHeadersCount = limits.headFields + 1;
	const perAddress = new Map<string, number>();
	const readers = new SlowReaders({ windowMs: limits.readerWindowMs, bytes: limits.readerBytes });
	server.on('connection', (socket: Socket) => {
		const address = networkOf(socket.remoteAddress ?? '');
		const open = perAddress.get(address) ?? 0;
		if (open >= limits.connectionsPerAddress) {
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
const httpLimits = (limits: ServerLimits) => ({
	headersTimeout: limits.headMs,
	requestTimeout: limits.requestMs,
	keepAliveTimeout: limits.idleMs,
	connectionsCheckingInterval: limits.checkMs,
	maxHeaderSize: limits.headBytes,
	insecureHTTPParser: false,
	ServerResponse: LastAfterUnreadBody,
	requireHostHeader: true
});

/**
 * The HTTP server of one daemon, for clients that cannot set a path: a call to `/` is one to the RPC API's
 * address of that daemon, and every other path names no daemon, as with the daemon itself. A trading node
 * answers at any path (`anyPath`).
 */
export function createDaemonServer(
	daemonId: string,
	parts: Omit<ServedParts, 'pages' | 'obstacle'>,
	changed: Partial<ServerLimits> = {},
	anyPath = false
): Server {
	const limits = { ...LIMITS, ...changed };
	const path = `${RPC_PATH}${encodeURIComponent(daemonId)}`;
	const server = createServer(httpLimits(limits), (request, response) => {
		if (parts.isEnding?.() === true) response.shouldKeepAlive = false;
		if (ended.has(request.socket) || tooLarge(request, response, limits)) return;
		if (isMisdirected(request, response, parts.isOurHost)) return;
		reached(parts, request);
		request.url = anyPath || request.url === '/' ? path : RPC_PATH;
		throughRpcApi(parts, request, response);
	});
	return bounded(server, limits, parts.onError);
}

/** The HTTP server: health answers, then the RPC API, then pages. */
export function createWebServer(parts: ServedParts, changed: Partial<ServerLimits> = {}): Server {
	const limits = { ...LIMITS, ...changed };
	const server = createServer(httpLimits(limits), (request, response) => {
		if (parts.isEnding?.() === true) response.shouldKeepAlive = false;
		if (ended.has(request.socket) || tooLarge(request, response, limits)) return;
		if (isMisdirected(request, response, parts.isOurHost)) return;
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
		reached(parts, request);
		if (path.startsWith(RPC_PATH)) {
			throughRpcApi(parts, request, response);
			return;
		}
		request.headers[PROTOCOL_HEADER] = 'http';
		// What serves files fails at a part that ends before it begins, and answers others wrongly. Files are small: each
		// goes out whole, which a server may always do.
		delete request.headers.range;
		// Files of the build do not pass the application, which sets the same for what it answers.
		for (const [name, value] of Object.entries(securityHeaders(false))) {
			response.setHeader(name, value);
		}
		keepWhole(request, response);
		compressAnswer(request, response);
		servePage(parts, request, response);
	});
	return bounded(server, limits, parts.onError);
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
