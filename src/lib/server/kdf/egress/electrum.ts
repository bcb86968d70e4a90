/**
 * Probes an Electrum server: `server.version`, then `blockchain.headers.subscribe`, as JSON-RPC lines. The
 * range of protocol versions is the one that the trading node requests, so that a server that passes is one
 * that it can use.
 */
import type { Socket } from 'node:net';
import { z } from 'zod';
import { someAtATime } from '../../platform/async/someAtATime.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import type { Egress } from './egress.ts';
import type { ElectrumServer } from './electrumServer.ts';
import { inTime } from './inTime.ts';
import { AT_ONCE, MOST_LETTERS, TIMEOUT_MS, type Probe, type ProbeOptions } from './probe.ts';
import { readTarget, targetText } from './target.ts';

/** Far more than a version and a header. */
const MOST_BYTES = 64 * 1024;
const VERSION_ID = 1;
const HEADERS_ID = 2;

const REQUESTS = [
	{
		jsonrpc: '2.0',
		id: VERSION_ID,
		method: 'server.version',
		params: ['komodeck', ['1.2', '1.4']]
	},
	{ jsonrpc: '2.0', id: HEADERS_ID, method: 'blockchain.headers.subscribe', params: [] }
];

const Message = z.looseObject({
	id: z.union([z.number(), z.string(), z.null()]).optional(),
	result: z.unknown().optional(),
	error: z.unknown().optional()
});
/** Protocol 1.4: software and negotiated protocol version. Older versions answer with a string. */
const Version = z.union([z.tuple([z.string(), z.string()]), z.string()]);
/** Protocol 1.4 says `height`, 1.2 said `block_height`. */
const Header = z
	.looseObject({
		height: z.int().nonnegative().optional(),
		block_height: z.int().nonnegative().optional()
	})
	.transform(({ height, block_height: older }) => height ?? older)
	.pipe(z.int());

/** Collects the two answers from the messages of a server. */
class Answers {
	readonly #name: string;
	software: string | null = null;
	height: number | null = null;

	constructor(name: string) {
		this.#name = name;
	}

	get complete(): boolean {
		return this.software !== null && this.height !== null;
	}

	#broken(how: 'not-electrum' | 'no-version' | 'no-tip', cause?: unknown): AppError {
		return new AppError('egress.broken', { server: this.#name, how }, { cause });
	}

	/** Reads one message. @throws {AppError} `egress` when it is not that of an Electrum server */
	take(text: string): void {
		let parsed: unknown;
		try {
			parsed = JSON.parse(text);
		} catch (cause) {
			throw this.#broken('not-electrum', cause);
		}
		const message = Message.safeParse(parsed);
		if (!message.success) throw this.#broken('not-electrum');
		const { id, result, error } = message.data;
		if (id !== VERSION_ID && id !== HEADERS_ID) return;
		if (error !== undefined && error !== null) {
			const what = id === VERSION_ID ? 'version' : 'tip';
			throw new AppError('egress.refused', { server: this.#name, what });
		}
		if (id === VERSION_ID) {
			const version = Version.safeParse(result);
			if (!version.success) throw this.#broken('no-version');
			const software = typeof version.data === 'string' ? version.data : version.data[0];
			this.software = software.slice(0, MOST_LETTERS);
		} else {
			const header = Header.safeParse(result);
			if (!header.success) throw this.#broken('no-tip');
			this.height = header.data;
		}
	}
}

/** Exchanges messages over a plain or a TLS connection: one per line. */
function overSocket(socket: Socket, answers: Answers, name: string): Promise<void> {
	return new Promise((resolve, reject) => {
		let buffered = '';
		let size = 0;
		socket.setEncoding('utf8');
		socket.on('data', (chunk: string) => {
			size += Buffer.byteLength(chunk);
			if (size > MOST_BYTES) return reject(new AppError('egress.too-large', { server: name }));
			buffered += chunk;
			const lines = buffered.split('\n');
			buffered = lines.pop() ?? '';
			try {
				for (const line of lines) if (line.trim() !== '') answers.take(line);
			} catch (error) {
				return reject(error as Error);
			}
			if (answers.complete) resolve();
		});
		socket.on('error', (cause) =>
			reject(new AppError('egress.broken', { server: name, how: 'broke-off' }, { cause }))
		);
		socket.on('close', () => reject(new AppError('egress.broken', { server: name, how: 'ended' })));
		for (const request of REQUESTS) socket.write(`${JSON.stringify(request)}\n`);
	});
}

async function speak(
	egress: Egress,
	server: ElectrumServer,
	answers: Answers,
	timeoutMs: number
): Promise<void> {
	const target = readTarget(server.url);
	const name = targetText(target);
	const began = performance.now();
	const timeout = (work: Promise<void>): Promise<void> =>
		inTime(work, timeoutMs - (performance.now() - began), name);
	const anyCertificate = server.disable_cert_verification === true;
	if (server.protocol === 'WS' || server.protocol === 'WSS') {
		const scheme = server.protocol === 'WS' ? 'ws' : 'wss';
		const options = { timeoutMs, maxBytes: MOST_BYTES, anyCertificate };
		const web = await egress.webSocket(`${scheme}://${name}/`, options);
		try {
			await timeout(
				new Promise<void>((resolve, reject) => {
					web.on('message', (data) => {
						try {
							answers.take(String(data));
						} catch (error) {
							return reject(error as Error);
						}
						if (answers.complete) resolve();
					});
					web.on('close', () =>
						reject(new AppError('egress.broken', { server: name, how: 'ended' }))
					);
					for (const request of REQUESTS) web.send(JSON.stringify(request));
				})
			);
		} finally {
			web.terminate();
		}
		return;
	}
	const socket = await egress.dial(target, {
		tls: server.protocol === 'SSL',
		anyCertificate,
		timeoutMs
	});
	try {
		await timeout(overSocket(socket, answers, name));
	} finally {
		socket.destroy();
	}
}

/** Probes one server. Never rejects for a failure of the server: that is part of the result. */
export async function probeElectrum(
	egress: Egress,
	server: ElectrumServer,
	{ timeoutMs = TIMEOUT_MS }: ProbeOptions = {}
): Promise<Probe> {
	const began = performance.now();
	const answers = new Answers(server.url);
	let reason: string | null = null;
	let forbidden = false;
	try {
		await speak(egress, server, answers, timeoutMs);
	} catch (error) {
		if (!isAppError(error, 'egress')) throw error;
		reason = error.message;
		forbidden = error.code === 'egress.forbidden';
	}
	return {
		url: server.url,
		protocol: server.protocol,
		ok: reason === null,
		ms: Math.round(performance.now() - began),
		software: reason === null ? answers.software : null,
		height: reason === null ? answers.height : null,
		reason,
		forbidden
	};
}

/** Probes all servers, some at a time; results are in the order of the servers. */
export async function probeAll(
	egress: Egress,
	servers: readonly ElectrumServer[],
	options: ProbeOptions = {}
): Promise<Probe[]> {
	return someAtATime(servers, AT_ONCE, (server) => probeElectrum(egress, server, options));
}
