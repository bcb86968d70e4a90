import { isUtf8 } from 'node:buffer';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import type { JsonValue } from '#lib/rpc/json.ts';
import type { Faults } from '../daemon/fault.ts';
import { Aborted, textOf, type Answer } from './dispatch.ts';
import { JsonSyntaxError, parseBody } from './serdeJson.ts';
import { LoopbackServer } from '../loopback.ts';
import type { Streams } from './streams.ts';

/** CORS header: a fixed value, whatever the origin. */
const CORS = { 'access-control-allow-origin': 'http://localhost:3000' };

interface KdfHttpSettings {
	/** PEM; null for plain HTTP. */
	certificate: () => { cert: string; key: string } | null;
	port: number;
	faults: Faults;
	/** Handles a request body. @throws {Aborted} */
	answer: (body: JsonValue, peer: string) => Promise<Answer>;
	/** Listeners of the event stream; null when events are disabled in the configuration. */
	streams: () => Streams | null;
	/** Source line in the node's error about other HTTP methods. */
	methodLine: number;
}

const STREAM_PATH = '/event-stream';

/** Returns the listener id from the query; 0 when missing or invalid. */
function listenerOf(url: string): bigint {
	const given = new URL(url, 'http://node').searchParams.get('id') ?? '';
	const id = /^\d{1,20}$/.test(given) ? BigInt(given) : 0n;
	return id < 2n ** 64n ? id : 0n;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
	const parts: Buffer[] = [];
	for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
	return Buffer.concat(parts);
}

/** Parses a body. @throws {JsonSyntaxError} */
function read(bytes: Buffer): JsonValue {
	const text = bytes.toString('utf8');
	// The node reports the error at the end of the string that contains the invalid bytes.
	if (!isUtf8(bytes)) throw new JsonSyntaxError('invalid unicode code point', text, text.length);
	return parseBody(text);
}

const methodOf = (body: JsonValue): string[] =>
	(Array.isArray(body) ? (body as JsonValue[]) : [body]).flatMap((one) => {
		const method =
			one !== null && typeof one === 'object' && 'method' in one ? one.method : undefined;
		return typeof method === 'string' ? [method] : [];
	});

/**
 * The HTTP server of the trading node, on 127.0.0.1 only; except for the event stream, the path is ignored.
 */
export class KdfHttp extends LoopbackServer {
	readonly #settings: KdfHttpSettings;

	constructor(settings: KdfHttpSettings) {
		super(settings.port);
		this.#settings = settings;
	}

	protected override create(): Server {
		const certificate = this.#settings.certificate();
		const serve = (request: IncomingMessage, response: ServerResponse): void => {
			this.#serve(request, response).catch(() => response.destroy());
		};
		const server: Server =
			certificate === null ? createServer(serve) : createTlsServer(certificate, serve);
		server.keepAliveTimeout = 30_000;
		return server;
	}

	/** Turns the response into an event stream, or returns why not. No password is required. */
	#listen(url: string, response: ServerResponse): string | null {
		const streams = this.#settings.streams();
		if (streams === null) return 'Event streaming is disabled';
		const leave = streams.connect(listenerOf(url), (text, left) => response.write(text, left));
		if (leave === null) return 'ID already in use';
		response.writeHead(200, {
			'content-type': 'text/event-stream',
			'cache-control': 'no-cache',
			'access-control-allow-origin': '*'
		});
		response.flushHeaders();
		response.on('close', leave);
		return null;
	}

	async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		if (request.method === 'OPTIONS') {
			response.writeHead(200, {
				...CORS,
				'access-control-allow-methods': 'POST, OPTIONS',
				'access-control-allow-headers': 'Content-Type',
				'access-control-max-age': '3600',
				'content-length': 0
			});
			return void response.end();
		}
		const bytes = await bodyOf(request);
		const send = (status: number, body: string, headers: Record<string, string>): void => {
			const answered = Buffer.from(body, 'utf8');
			response.writeHead(status, { ...headers, 'content-length': answered.length });
			response.end(answered);
		};
		// The only path that matters, for every HTTP method.
		if (request.url?.split('?')[0] === STREAM_PATH) {
			const problem = this.#listen(request.url, response);
			return problem === null ? undefined : send(500, problem, CORS);
		}
		let body: JsonValue;
		try {
			body = read(bytes);
		} catch (cause) {
			if (!(cause instanceof JsonSyntaxError)) throw cause;
			return send(500, JSON.stringify({ error: cause.message }), CORS);
		}
		if (request.method !== 'POST') {
			const error = `rpc:${this.#settings.methodLine}] Only POST requests are supported!`;
			return send(500, JSON.stringify({ error }), CORS);
		}
		const hit = this.#settings.faults.take(methodOf(body));
		const find = (kind: string) => hit.find((fault) => fault.kind === kind);
		const latency = find('latency');
		if (latency?.phase === 'before') await delay(latency.ms);
		const drop = find('drop');
		if (drop?.phase === 'before') return void response.destroy();
		let answer: Answer;
		try {
			answer = await this.#settings.answer(body, request.socket.remoteAddress ?? '');
		} catch (cause) {
			if (cause instanceof Aborted) return send(500, cause.message, {});
			throw cause;
		}
		if (drop) return void response.destroy();
		if (latency?.phase === 'after') await delay(latency.ms);
		const whole = textOf(answer);
		if (find('truncate')) {
			response.writeHead(answer.status, { ...CORS, 'content-length': Buffer.byteLength(whole) });
			response.write(whole.slice(0, whole.length >> 1), () => response.destroy());
			return;
		}
		send(answer.status, whole, {
			...CORS,
			...(answer.contentType === undefined ? {} : { 'content-type': answer.contentType })
		});
	}
}
