import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { JsonValue } from '#lib/rpc/json.ts';
import type { Faults } from '../daemon/fault.ts';
import { Aborted, textOf } from './dispatch.ts';
import type { Answer } from './dispatch.ts';
import { JsonSyntaxError, parseBody } from './serdejson.ts';
import { closeAtOnce, listenOnLoopback } from '../loopback.ts';

/** What pages of other origins may do; one fixed value, whoever asks. */
const CORS = { 'access-control-allow-origin': 'http://localhost:3000' };

export interface NodeHttpSettings {
	port: number;
	faults: Faults;
	/** @throws {Aborted} */
	answer: (body: JsonValue, peer: string) => Promise<Answer>;
	/** Where the text about other HTTP methods stands in the node's source. */
	methodLine: number;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
	const parts: Buffer[] = [];
	for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
	return Buffer.concat(parts).toString('utf8');
}

const methodOf = (body: JsonValue): string[] =>
	(Array.isArray(body) ? (body as JsonValue[]) : [body]).flatMap((one) => {
		const method =
			one !== null && typeof one === 'object' && 'method' in one ? one.method : undefined;
		return typeof method === 'string' ? [method] : [];
	});

/** The HTTP face of the trading node, on 127.0.0.1 only; the path is of no account. */
export class NodeHttp {
	readonly #settings: NodeHttpSettings;
	#server: Server | null = null;

	constructor(settings: NodeHttpSettings) {
		this.#settings = settings;
	}

	get isOpen(): boolean {
		return this.#server !== null;
	}

	/** Starts to listen; rejects when the port is taken. */
	async open(): Promise<void> {
		if (this.#server) return;
		const server = createServer((request, response) => {
			this.#serve(request, response).catch(() => response.destroy());
		});
		server.keepAliveTimeout = 30_000;
		await listenOnLoopback(server, this.#settings.port);
		this.#server = server;
	}

	/** Refuses connections from now on and breaks the open ones. */
	async close(): Promise<void> {
		const server = this.#server;
		if (!server) return;
		this.#server = null;
		await closeAtOnce(server);
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
		const text = await bodyOf(request);
		const send = (status: number, body: string, headers: Record<string, string>): void => {
			const bytes = Buffer.from(body, 'utf8');
			response.writeHead(status, { ...headers, 'content-length': bytes.length });
			response.end(bytes);
		};
		// The one path that is looked at; the configuration here switches it off.
		if (request.url?.split('?')[0] === '/event-stream') {
			return send(500, 'Event streaming is disabled', CORS);
		}
		let body: JsonValue;
		try {
			body = parseBody(text);
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
		if (latency) await delay(latency.ms);
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
