import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Network } from '../network.ts';
import { actions } from './actions.ts';
import { ControlError } from './body.ts';
import { LoopbackServer } from '../loopback.ts';

const MAX_BODY = 64 * 1024;

function reply(response: ServerResponse, status: number, value: unknown): void {
	const body = `${JSON.stringify(value)}\n`;
	response.writeHead(status, {
		'content-type': 'application/json',
		'content-length': Buffer.byteLength(body)
	});
	response.end(body);
}

function mayEnter(request: IncomingMessage, password: string): boolean {
	const given = Buffer.from(request.headers.authorization ?? '');
	const wanted = Buffer.from(`Bearer ${password}`);
	return given.length === wanted.length && timingSafeEqual(given, wanted);
}

async function jsonBody(request: IncomingMessage): Promise<{ [key: string]: unknown }> {
	const parts: Buffer[] = [];
	let size = 0;
	for await (const part of request as AsyncIterable<Buffer>) {
		size += part.length;
		if (size > MAX_BODY) throw new ControlError(413, 'the body is too large');
		parts.push(part);
	}
	const text = Buffer.concat(parts).toString('utf8');
	if (text === '') return {};
	try {
		const value: unknown = JSON.parse(text);
		if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
			return value as { [key: string]: unknown };
		}
	} catch {
		// Every body that is not an object gets the same error below.
	}
	throw new ControlError(400, 'the body must be a JSON object');
}

/**
 * The API with which tests and developers control the devnet: JSON over HTTP on 127.0.0.1, with its own
 * password as a Bearer token.
 */
export class ControlServer extends LoopbackServer {
	#network: Network;
	readonly #renewed: () => Promise<Network>;
	#renewing: Promise<Network> | null = null;

	/** @param renewed closes the network and opens it again in its initial state */
	constructor(network: Network, renewed: () => Promise<Network>) {
		super(network.control.port);
		this.#network = network;
		this.#renewed = renewed;
	}

	get url(): string {
		return `http://127.0.0.1:${this.port}`;
	}

	protected override create(): Server {
		return createServer((request, response) => {
			this.#serve(request).then(
				(value) => reply(response, 200, value),
				(cause: unknown) => {
					const status = cause instanceof ControlError ? cause.status : 500;
					reply(response, status, {
						error: cause instanceof Error ? cause.message : String(cause)
					});
				}
			);
		});
	}

	async #serve(request: IncomingMessage): Promise<unknown> {
		if (!mayEnter(request, this.#network.control.password)) {
			throw new ControlError(401, 'the control password is missing or wrong');
		}
		const path = new URL(request.url ?? '/', 'http://localhost').pathname;
		if (request.method === 'POST' && path === '/reset') {
			// Concurrent resets share one.
			this.#renewing ??= this.#renewed().finally(() => (this.#renewing = null));
			this.#network = await this.#renewing;
			return {};
		}
		const action = actions.get(`${request.method ?? 'GET'} ${path}`);
		if (!action) throw new ControlError(404, `there is no ${request.method} ${path}`);
		return action(this.#network, await jsonBody(request));
	}
}
