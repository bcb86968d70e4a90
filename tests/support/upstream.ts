import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { listening } from './listening.ts';
import { closeAtOnce } from '../../src/devnet/loopback.ts';

/** One request, as received by the scripted daemon. */
export interface SeenRequest {
	authorization: string | undefined;
	contentType: string | undefined;
	text: string;
	/** `batch` for an array, `` for what is not JSON. */
	method: string;
}

/** Writes the raw response to one request. */
export type Script = (
	request: SeenRequest,
	response: ServerResponse,
	socket: Socket
) => void | Promise<void>;

/** Bytes as Komodo daemon 0.9.0 writes them: one line, `result`, `error`, `id`. */
export const rpcLine = (result: string, id = '"komodeck"', error = 'null'): string =>
	`{"result":${result},"error":${error},"id":${id}}\n`;

/** Answers with a status, a content type and a body. */
export function answer(
	response: ServerResponse,
	body: string,
	status = 200,
	contentType = 'application/json'
): void {
	response.writeHead(status, {
		'Content-Type': contentType,
		'Content-Length': Buffer.byteLength(body)
	});
	response.end(body);
}

function idOf(text: string): string {
	return /"id":("(?:[^"\\]|\\.)*"|[^,}]+)/.exec(text)?.[1] ?? 'null';
}

/** The id of a request, to be echoed like the daemon does. */
export const echo = (request: SeenRequest): string => idOf(request.text);

/**
 * An HTTP server on loopback in place of a daemon: a test scripts its responses byte by byte, method by method.
 * Without a script `getinfo` is answered like a daemon of the chain ALPHA, and everything else with -32601.
 */
export class ScriptedUpstream {
	readonly seen: SeenRequest[] = [];
	readonly #scripts = new Map<string, Script>();
	#server: Server | null = null;
	#port = 0;

	get url(): string {
		return `http://127.0.0.1:${this.#port}/`;
	}

	get port(): number {
		return this.#port;
	}

	/** Scripts a method; `*` applies to every request without its own script. */
	on(method: string, script: Script): this {
		this.#scripts.set(method, script);
		return this;
	}

	count(method: string): number {
		return this.seen.filter((request) => request.method === method).length;
	}

	/** Listens on a free port, or again on the port that it had before. */
	async start(): Promise<this> {
		const server = createServer((request, response) => void this.#serve(request, response));
		this.#port = await listening(server, this.#port);
		this.#server = server;
		return this;
	}

	/** Stops listening and drops every connection. */
	async stop(): Promise<void> {
		const server = this.#server;
		this.#server = null;
		if (server !== null) await closeAtOnce(server);
	}

	async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		let text = '';
		for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
		const seen: SeenRequest = {
			authorization: request.headers.authorization,
			contentType: request.headers['content-type'],
			text,
			method: text.startsWith('[') ? 'batch' : (/"method":"([^"]*)"/.exec(text)?.[1] ?? '')
		};
		this.seen.push(seen);
		const script = this.#scripts.get(seen.method) ?? this.#scripts.get('*');
		if (script !== undefined) {
			await script(seen, response, request.socket);
			return;
		}
		if (seen.method === 'getinfo') {
			answer(
				response,
				rpcLine('{"version":90000,"KMDversion":"0.9.0","name":"ALPHA","CCid":777}', echo(seen))
			);
			return;
		}
		const error = '{"code":-32601,"message":"Method not found"}';
		answer(response, rpcLine('null', echo(seen), error), 404);
	}
}

/** Responds with the start-up error of Komodo daemon 0.9.0. */
export const warmingUp: Script = (request, response) => {
	const error = '{"code":-28,"message":"Verifying blocks..."}';
	answer(response, rpcLine('null', echo(request), error), 500);
};

/** Responds like the HTTP library of Komodo daemon 0.9.0 when its work queue is full. */
export const workQueueFull: Script = (_request, response) => {
	answer(response, 'Work queue depth exceeded', 500, 'text/html; charset=ISO-8859-1');
};

/** Responds like Komodo daemon 0.9.0 to a wrong password. */
export const wrongPassword: Script = (_request, response) => {
	response.writeHead(401, {
		'Content-Type': 'text/html; charset=ISO-8859-1',
		'WWW-Authenticate': 'Basic realm="jsonrpc"',
		'Content-Length': 0
	});
	response.end();
};
