import { PLAIN_ANSWERS } from '#lib/messages/plainAnswers.ts';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { securityHeaders } from '#lib/server/platform/http/headers.ts';
import { addressedTo, type HostRule } from '#lib/server/platform/net/host.ts';
import type { Reached } from '#lib/server/platform/http/plainHttp.ts';
import { plainPage, PLAIN_POLICY } from '#lib/server/platform/http/plainPage.ts';
import { RPC_PATH } from '#lib/server/platform/http/rpcPath.ts';
import { networkOf } from '#lib/server/platform/net/networkOf.ts';
import type { RpcApi } from '#lib/server/platform/runningParts.ts';
import { compressAnswer } from './compress.ts';
import { SlowReaders } from './slowReaders.ts';
import { LastAfterUnreadBody } from './unreadBody.ts';
import { enforceContentLength } from './contentLength.ts';

/** SvelteKit's handler as adapter-node builds it. */
export type PageHandler = (
	request: IncomingMessage,
	response: ServerResponse,
	next: () => void
) => unknown;

export interface ServedParts {
	pages: PageHandler;
	/** The RPC API; undefined until the application has registered it. */
	rpcApi: () => RpcApi | undefined;
	/** Returns briefly why the application cannot work; null when it can. */
	obstacle: () => Promise<string | null>;
	onError: (error: unknown) => void;
	/** True during shutdown: connections are then not kept alive. */
	isEnding?: () => boolean;
	/** Tells whether requests for a host are meant for this server. */
	isOurHost: HostRule;
	/** Called for each accepted request with the host it names and its source address. */
	reached: (request: Reached) => void;
}

/** Limits per caller. Times in milliseconds. */
export interface ServerLimits {
	/** From the start of a connection or request to the end of its header. */
	headMs: number;
	/** From the start of a request to the end of its body. */
	requestMs: number;
	/**
	 * How long an idle connection is kept: longer than in a daemon (30 s), whose clients send the next call
	 * on it without checking, and longer than in proxies (60 s).
	 */
	idleMs: number;
	/** Interval at which connections are checked. */
	checkMs: number;
	/** Request line and header fields together. */
	headBytes: number;
	headFields: number;
	/** Most connections of all servers of the process together, and those of one address. */
	connections: number;
	connectionsPerAddress: number;
	/** Minimum that a slow reader must accept of a long response: `readerBytes` per `readerWindowMs`. */
	readerWindowMs: number;
	readerBytes: number;
}

/** File descriptors that connections leave for the database, the daemons and files. */
const OTHER_DESCRIPTORS = 96;
const LEAST_CONNECTIONS = 8;
const MOST_CONNECTIONS = 4_000;

/** How many files the process may open; Infinity where the system sets no limit. */
function openFiles(): number {
	// A report would look up the names of all peers. The types of Node.js do not know the member yet.
	Object.assign(process.report, { excludeNetwork: true });
	const { userLimits } = process.report.getReport() as {
		userLimits?: { open_files?: { soft?: number | string } };
	};
	const soft = Number(userLimits?.open_files?.soft);
	return Number.isFinite(soft) ? soft : Infinity;
}

/**
 * Most connections of a process that may open so many files. Without a descriptor left, a page that is opened for the
 * first time would stay broken: Node remembers that its module could not be read.
 */
const connectionsWith = (files: number): number =>
	Math.max(LEAST_CONNECTIONS, Math.min(MOST_CONNECTIONS, files - OTHER_DESCRIPTORS));

/** Connections that a browser opens at the same time. */
const LEAST_PER_ADDRESS = 6;
const MOST_PER_ADDRESS = 1_000;

/**
 * Most connections of one address: a quarter of all, so that no address takes those of others. A proxy in front may
 * hold all of them: its address counts for all callers, and for the ports of pages and of daemons together.
 */
export const perAddressOf = (connections: number, isBehindProxy: boolean): number =>
	isBehindProxy
		? connections
		: Math.max(LEAST_PER_ADDRESS, Math.min(MOST_PER_ADDRESS, Math.floor(connections / 4)));

const CONNECTIONS = connectionsWith(openFiles());

export const LIMITS: ServerLimits = {
	headMs: 10_000,
	requestMs: 60_000,
	idleMs: 65_000,
	checkMs: 2_000,
	headBytes: 16 * 1024,
	headFields: 100,
	connections: CONNECTIONS,
	connectionsPerAddress: perAddressOf(CONNECTIONS, false),
	readerWindowMs: 30_000,
	readerBytes: 64 * 1024
};

/** Header that tells SvelteKit the protocol; a value sent by the client is overwritten. */
export const PROTOCOL_HEADER = 'x-komodeck-protocol';

function plain(response: ServerResponse, status: number, text: string): void {
	response.writeHead(status, {
		'Content-Type': 'text/plain; charset=utf-8',
		'Cache-Control': 'no-store',
		'X-Content-Type-Options': 'nosniff'
	});
	response.end(text);
}

/** Connections whose last response has been sent: further requests pipelined on them are not executed. */
const ended = new WeakSet<Socket>();

/** Closes the connection after this response; the rest of the request is not read. */
function endAfter(request: IncomingMessage, response: ServerResponse): void {
	ended.add(request.socket);
	response.shouldKeepAlive = false;
	response.setHeader('Connection', 'close');
}

/**
 * Refuses a request before it reaches the application: with a page for browsers, a line of text for other
 * clients.
 */
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

/** Answers a request that exceeds a limit; true when it did. */
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
 * Answers a request for another host, or without a host; true when it did. Otherwise the Host header and the
 * URL are afterwards those that count, in whichever form the request named them.
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

/**
 * Serves a page. A failure outside of SvelteKit's error handling is answered with 500 and does not stop the
 * server.
 */
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

/** Open connections of all servers of the process, together and by address. */
let openConnections = 0;
const perAddress = new Map<string, number>();

/** Limits the number of connections and how slowly they may be used. */
function bounded(server: Server, limits: ServerLimits, onError: ServedParts['onError']): Server {
	// An error while accepting a connection (such as no file descriptors left) concerns only that one.
	server.on('error', (error) => {
		if (server.listening) onError(error);
	});
	// One more than allowed, so that an excess can be detected.
	server.maxHeadersCount = limits.headFields + 1;
	const readers = new SlowReaders({ windowMs: limits.readerWindowMs, bytes: limits.readerBytes });
	server.on('connection', (socket: Socket) => {
		if (openConnections >= limits.connections) {
			socket.destroy();
			return;
		}
		const address = networkOf(socket.remoteAddress ?? '');
		const open = perAddress.get(address) ?? 0;
		if (open >= limits.connectionsPerAddress) {
			socket.destroy();
			return;
		}
		openConnections += 1;
		perAddress.set(address, open + 1);
		socket.once('close', () => {
			openConnections -= 1;
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
 * Creates the HTTP server of one daemon, for clients that cannot set a path: `/` is the RPC API's URL of that
 * daemon, and any other path names no daemon, as with the daemon itself. A trading node accepts any path
 * (`anyPath`).
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

/** Creates the main HTTP server: health endpoints, the RPC API, then pages. */
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
		// Range requests are not supported: the file handler fails for a range whose end is before its start,
		// and answers others incorrectly. Files are small and are always sent whole, which HTTP allows.
		delete request.headers.range;
		// Files of the build do not pass through the application, which sets the same headers on its own
		// responses.
		for (const [name, value] of Object.entries(securityHeaders(false))) {
			response.setHeader(name, value);
		}
		enforceContentLength(request, response);
		compressAnswer(request, response);
		servePage(parts, request, response);
	});
	return bounded(server, limits, parts.onError);
}

/** Listens; resolves to the actual port. */
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

/**
 * Stops accepting connections, lets requests in progress finish, and closes the remaining connections after
 * `graceMs`.
 */
export async function stopListening(server: Server, graceMs: number): Promise<void> {
	const closed = new Promise((resolve) => {
		server.close(resolve);
	});
	server.closeIdleConnections();
	// A connection becomes idle only after its last response was sent.
	const sweep = setInterval(() => server.closeIdleConnections(), 20);
	const timer = setTimeout(() => server.closeAllConnections(), graceMs);
	await closed;
	clearInterval(sweep);
	clearTimeout(timer);
}
