import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { compressAnswer } from './compress.ts';

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
	/** Whether the application can do its work. */
	ready: () => Promise<boolean>;
	onError: (error: unknown) => void;
}

/** The name under which the protocol is told to SvelteKit; what a client sends under it is overwritten. */
export const PROTOCOL_HEADER = 'x-komodeck-protocol';

function plain(response: ServerResponse, status: number, text: string): void {
	response.writeHead(status, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' });
	response.end(text);
}

/** Keeps slow clients from holding connections: ten seconds for the head, a minute for a whole request. */
const TIME_LIMITS = {
	headersTimeout: 10_000,
	requestTimeout: 60_000,
	connectionsCheckingInterval: 5_000
};

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

/**
 * The HTTP server of one daemon, for clients that cannot set a path: a call to `/` is one to the door's
 * address of that daemon, and every other path names no daemon, as with the daemon itself.
 */
export function createDaemonServer(
	daemonId: string,
	parts: Pick<ServedParts, 'door' | 'onError'>
): Server {
	const path = `${DOOR_PATH}${encodeURIComponent(daemonId)}`;
	return createServer(TIME_LIMITS, (request, response) => {
		request.url = request.url === '/' ? path : DOOR_PATH;
		throughDoor(parts, request, response);
	});
}

/** The HTTP server: health answers, then the door, then pages. */
export function createWebServer(parts: ServedParts): Server {
	return createServer(TIME_LIMITS, (request, response) => {
		const path = (request.url ?? '').split('?', 1)[0] ?? '';
		if (path === '/healthz') {
			plain(response, 200, 'ok\n');
			return;
		}
		if (path === '/readyz') {
			parts.ready().then(
				(ready) => plain(response, ready ? 200 : 503, ready ? 'ready\n' : 'not ready\n'),
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
		request.headers[PROTOCOL_HEADER] = 'http';
		compressAnswer(request, response);
		parts.pages(request, response, () => plain(response, 404, 'Not found\n'));
	});
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
