/**
 * A load balancer like those in front of real servers: round robin, readiness checks, retries of safe requests.
 */
import {
	Agent,
	createServer,
	request as ask,
	type IncomingMessage,
	type ServerResponse
} from 'node:http';
import { listening } from '../../support/listening.ts';
import { closeAtOnce } from '../../../src/devnet/loopback.ts';

interface RoundRobin {
	url: string;
	stop(): Promise<void>;
}

/** Milliseconds between readiness checks. */
const LOOK_EVERY_MS = 250;
/** Methods that may be repeated although the first request may have been executed. */
const SAFE = new Set(['GET', 'HEAD']);

interface Broken {
	/** The server cannot have executed any of the request. */
	unreached: boolean;
}

/** @param servers returns all addresses, read each time: a restarted server has its old address */
export async function startRoundRobin(servers: () => readonly string[]): Promise<RoundRobin> {
	// A connection that a server closes while idle cannot be told from one that it breaks off: none is kept
	// alive.
	const agent = new Agent({ keepAlive: false });
	let away = new Set<string>();
	let turn = 0;

	async function look(): Promise<void> {
		const all = await Promise.all(
			servers().map(async (url) => {
				const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(
					() => null
				);
				await answer?.body?.cancel();
				return answer?.ok === true ? null : url;
			})
		);
		away = new Set(all.filter((url) => url !== null));
	}

	/** Ready servers in turn, then all others: if none is ready, one of them reports the reason. */
	function order(): string[] {
		const all = servers();
		turn += 1;
		const turned = all.map((_, at) => all[(at + turn) % all.length]!);
		return [...turned.filter((url) => !away.has(url)), ...turned.filter((url) => away.has(url))];
	}

	function forward(
		url: string,
		request: IncomingMessage,
		body: Buffer,
		response: ServerResponse
	): Promise<Broken | null> {
		const { promise, resolve } = Promise.withResolvers<Broken | null>();
		const { method, url: path, headers } = request;
		const upstream = ask(`${url}${path}`, { method, headers, agent }, (answer) => {
			answer.once('error', () => {
				response.destroy();
				resolve(null);
			});
			answer.once('end', () => resolve(null));
			response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
			answer.pipe(response);
		});
		upstream.once('error', (error: NodeJS.ErrnoException) => {
			if (response.headersSent) response.destroy();
			resolve(response.headersSent ? null : { unreached: error.code === 'ECONNREFUSED' });
		});
		response.once('close', () => upstream.destroy());
		upstream.end(body);
		return promise;
	}

	async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const parts: Buffer[] = [];
		for await (const part of request) parts.push(part as Buffer);
		const body = Buffer.concat(parts);
		for (const url of order()) {
			const broken = await forward(url, request, body, response);
			if (broken === null) return;
			away.add(url);
			if (!broken.unreached && !SAFE.has(request.method ?? '')) break;
		}
		response.writeHead(502, { 'content-type': 'text/plain' }).end('no server\n');
	}

	const server = createServer((request, response) => {
		serve(request, response).catch(() => response.destroy());
	});
	const port = await listening(server);
	await look();
	let timer: NodeJS.Timeout;
	const again = (): void => {
		timer = setTimeout(() => void look().finally(again), LOOK_EVERY_MS).unref();
	};
	again();
	return {
		url: `http://localhost:${port}`,
		stop() {
			clearTimeout(timer);
			return closeAtOnce(server);
		}
	};
}
