import { isUtf8 } from 'node:buffer';
import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { answer, methodsOf, type Dispatcher } from './envelope.ts';
import type { Faults } from './fault.ts';
import { DaemonCrash } from '../ledger/cross-chain/error.ts';
import { LoopbackServer } from '../loopback.ts';

/** Komodo daemon 0.9.0: maximum size of a request body. */
const MAX_BODY = 32 * 1024 * 1024;
/** Number of values in a flood, of two bytes each. */
const FLOOD = 2_000_000;
/** Komodo daemon 0.9.0: a wrong password is answered after this delay, a missing one at once. */
const WRONG_PASSWORD_DELAY_MS = 250;
const WARM_UP_STEPS = [
	'Verifying wallet...',
	'Loading block index...',
	'Rewinding blocks if needed...',
	'Verifying blocks...',
	'Rescanning...'
];

interface HttpSettings {
	port: number;
	/** `user:password`. */
	credentials: string;
	faults: Faults;
	dispatcher: Omit<Dispatcher, 'warmUp'>;
}

/** Sends a response of the daemon's HTTP library itself, which is not JSON. */
function plain(response: ServerResponse, status: number, body: string): void {
	response.writeHead(status, {
		'content-type': 'text/html; charset=ISO-8859-1',
		'content-length': Buffer.byteLength(body),
		...(status === 401 ? { 'www-authenticate': 'Basic realm="jsonrpc"' } : {})
	});
	response.end(body);
}

/** Late enough that the client may have sent its next request already. */
const CLOSED_AFTER_MS = 1;

function endSoon({ socket }: IncomingMessage, response: ServerResponse): void {
	response.once('finish', () => setTimeout(() => socket.end(), CLOSED_AFTER_MS));
}

function sameText(a: string, b: string): boolean {
	const left = Buffer.from(a);
	const right = Buffer.from(b);
	return left.length === right.length && timingSafeEqual(left, right);
}

async function bodyOf(request: IncomingMessage): Promise<string | null> {
	const parts: Buffer[] = [];
	let size = 0;
	for await (const part of request as AsyncIterable<Buffer>) {
		size += part.length;
		if (size > MAX_BODY) return null;
		parts.push(part);
	}
	const body = Buffer.concat(parts);
	// Komodo daemon 0.9.0 treats a body that is not UTF-8 like an empty one.
	return isUtf8(body) ? body.toString('utf8') : '';
}

/** The HTTP server of one daemon, on 127.0.0.1 only. */
export class DaemonHttp extends LoopbackServer {
	readonly #settings: HttpSettings;
	#warmUpStep = 0;

	constructor(settings: HttpSettings) {
		super(settings.port);
		this.#settings = settings;
	}

	protected override create(): Server {
		const server = createServer((request, response) => {
			this.#serve(request, response).catch((cause: unknown) => {
				response.destroy();
				if (cause instanceof DaemonCrash) void this.close();
			});
		});
		server.keepAliveTimeout = 30_000;
		return server;
	}

	async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		if (request.url !== '/') return plain(response, 404, '');
		if (request.method !== 'POST') {
			return plain(response, 405, 'JSONRPC server handles only POST requests');
		}
		const header = request.headers.authorization;
		if (header === undefined) return plain(response, 401, '');
		const { faults, credentials, dispatcher } = this.#settings;
		const given = header.startsWith('Basic ')
			? Buffer.from(header.slice('Basic '.length).trim(), 'base64').toString('utf8')
			: '';
		if (faults.has('wrong-password') || !sameText(given, credentials)) {
			await delay(WRONG_PASSWORD_DELAY_MS);
			return plain(response, 401, '');
		}
		const body = await bodyOf(request);
		if (body === null) return plain(response, 413, '');
		const hit = faults.take(methodsOf(body));
		const find = (kind: string) => hit.find((fault) => fault.kind === kind);
		const latency = find('latency');
		if (latency?.phase === 'before') await delay(latency.ms);
		if (find('work-queue-full')) return plain(response, 500, 'Work queue depth exceeded');
		if (find('close')) endSoon(request, response);
		const drop = find('drop');
		if (drop?.phase === 'before') return void response.destroy();
		const warmUp = find('warm-up')
			? WARM_UP_STEPS[this.#warmUpStep++ % WARM_UP_STEPS.length]!
			: null;
		const reply = answer(
			{
				warmUp,
				call: (method, params) => dispatcher.call(method, params),
				help: (method) => dispatcher.help(method)
			},
			body
		);
		if (drop) return void response.destroy();
		if (latency?.phase === 'after') await delay(latency.ms);
		const text = find('flood')
			? reply.body.replace(/"result":.*(?=,"error":)/s, () => `"result":[${'0,'.repeat(FLOOD)}0]`)
			: reply.body;
		const bytes = Buffer.from(
			find('other-id') ? text.replace(/"id":"[^"]*"/, '"id":"of-another-call"') : text,
			'utf8'
		);
		response.writeHead(reply.status, {
			'content-type': 'application/json',
			'content-length': bytes.length
		});
		if (find('truncate')) {
			response.write(bytes.subarray(0, Math.max(1, bytes.length >> 1)), () => response.destroy());
			return;
		}
		response.end(bytes);
	}
}
