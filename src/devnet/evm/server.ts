import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { WebSocketServer } from 'ws';
import { isJsonObject, readableJson, stringifyJson, type JsonValue } from '#lib/rpc/json.ts';
import { int } from '../rpc/coins.ts';
import { EvmError, noSuchMethod, type EvmChain } from './chain.ts';
import { LoopbackServer } from '../loopback.ts';

const MAX_BODY = 1_000_000;
const NFT_PATH = /^\/nft\/api\/v2\/(0x[0-9a-fA-F]{40})\/nft$/;

interface EvmServerOptions {
	port: number;
	chain: EvmChain;
	/** Chain ids by ticker; the ticker is the first segment of the path. */
	chainIds: ReadonlyMap<string, number>;
}

/**
 * JSON-RPC of an EVM chain over HTTP and WebSocket on one port, on 127.0.0.1 only; below `/nft` an NFT data
 * provider, and at `/gas` a gas station.
 */
export class EvmServer extends LoopbackServer {
	/** Method that it refuses, like a provider that does not offer all of them; null for none. */
	refuses: string | null = null;
	readonly #options: EvmServerOptions;
	#sockets: WebSocketServer | null = null;

	constructor(options: EvmServerOptions) {
		super(options.port);
		this.#options = options;
	}

	protected override create(): Server {
		const server = createServer((request, response) => {
			this.#serve(request, response).catch(() => response.destroy());
		});
		const sockets = new WebSocketServer({ server, maxPayload: MAX_BODY });
		sockets.on('connection', (socket, request) => {
			const chainId = this.#chainId(request.url);
			socket.on('error', () => socket.terminate());
			socket.on('message', (data: Buffer) => {
				socket.send(this.#answerText(data.toString('utf8'), chainId));
			});
		});
		// Opening reports these errors.
		sockets.on('error', () => {});
		this.#sockets = sockets;
		return server;
	}

	override async close(): Promise<void> {
		for (const socket of this.#sockets?.clients ?? []) socket.terminate();
		this.#sockets?.close();
		await super.close();
	}

	#chainId(url: string | undefined): number {
		const ticker = (url ?? '/').split('/')[1] ?? '';
		return this.#options.chainIds.get(ticker) ?? 1;
	}

	async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const reply = (status: number, body: string): void => {
			response.writeHead(status, {
				'content-type': 'application/json',
				'content-length': Buffer.byteLength(body)
			});
			response.end(body);
		};
		const { pathname } = new URL(request.url ?? '/', 'http://localhost');
		const [, owner] = NFT_PATH.exec(pathname) ?? [];
		if (owner !== undefined && request.method === 'GET') {
			const result = this.#options.chain.nfts(owner);
			return reply(200, JSON.stringify({ page: 0, page_size: 100, cursor: null, result }));
		}
		// Gas station; prices in tenths of a gwei.
		if (pathname === '/gas' && request.method === 'GET') {
			return reply(200, '{"safeLow":700,"average":860,"fast":900,"fastest":1100}');
		}
		if (request.method !== 'POST') return reply(405, '{"error":"only POST"}');
		const parts: Buffer[] = [];
		let size = 0;
		for await (const part of request as AsyncIterable<Buffer>) {
			size += part.length;
			if (size > MAX_BODY) return reply(413, '{"error":"too large"}');
			parts.push(part);
		}
		reply(200, this.#answerText(Buffer.concat(parts).toString('utf8'), this.#chainId(pathname)));
	}

	#answerText(text: string, chainId: number): string {
		const value = readableJson(text);
		if (value === undefined) return stringifyJson(failure(null, -32700, 'parse error'));
		if (!Array.isArray(value)) return stringifyJson(this.#answer(value, chainId));
		return stringifyJson((value as JsonValue[]).map((one) => this.#answer(one, chainId)));
	}

	#answer(request: JsonValue, chainId: number): JsonValue {
		if (!isJsonObject(request) || typeof request['method'] !== 'string') {
			return failure(null, -32600, 'invalid request');
		}
		const { id = null, method, params } = request;
		try {
			if (method === this.refuses) throw noSuchMethod(method);
			const list = Array.isArray(params) ? (params as JsonValue[]) : [];
			return { jsonrpc: '2.0', id, result: this.#options.chain.call(method, list, chainId) };
		} catch (cause) {
			if (!(cause instanceof EvmError)) throw cause;
			return failure(id, cause.code, cause.message);
		}
	}
}

const failure = (id: JsonValue, code: number, message: string): JsonValue => ({
	jsonrpc: '2.0',
	id,
	error: { code: int(code), message }
});
