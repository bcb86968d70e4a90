/**
 * The only way out to servers that members name: Electrum servers, nodes, gas stations. A host name is
 * resolved once, its addresses are checked, and the connection goes to a checked address: the name is never
 * resolved again (DNS rebinding). Private networks are closed unless they are listed.
 */
import { lookup as systemLookup } from 'node:dns/promises';
import { connect as tcpConnect, isIP, type Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import { Client } from 'undici';
import WebSocket from 'ws';
import { Collected } from '../../chains/upstream/answers/collected.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import {
	isPublicAddress,
	mayReach,
	type ListedPrivate,
	type Target
} from '../../platform/net/ranges.ts';
import { inTime } from './inTime.ts';
import { readUrl, targetText } from './target.ts';

/** Resolves a host name to its addresses, in the order in which they are tried. */
export type Resolve = (host: string) => Promise<readonly string[]>;

interface EgressOptions {
	/** Returns the private addresses and names that may be reached; called for each connection to one. */
	listed: () => readonly ListedPrivate[] | Promise<readonly ListedPrivate[]>;
	resolve?: Resolve;
}

export interface DialOptions {
	tls?: boolean;
	/** Application protocol over TLS (ALPN); HTTP/1.1 by default. */
	protocol?: 'http/1.1' | 'h2';
	/** Accepts any certificate, as server lists request it for servers with a self-signed one. */
	anyCertificate?: boolean;
	/** Milliseconds for resolving, connecting and TLS together. */
	timeoutMs: number;
}

export interface HttpOptions {
	method?: 'GET' | 'POST';
	body?: string | Uint8Array;
	headers?: Readonly<Record<string, string>>;
	timeoutMs: number;
	/** Maximum size of the body; with `status-only` it is not read, and the answer's is empty. */
	maxBytes: number | 'status-only';
}

export interface EgressAnswer {
	status: number;
	/** Content type of the body; null when the server sends none. */
	contentType: string | null;
	body: Buffer;
}

export interface Egress {
	/**
	 * Opens a connection, with the TLS handshake done if requested. The caller closes it.
	 * @throws {AppError} `egress`
	 */
	dial(target: Target, options: DialOptions): Promise<Socket>;
	/** Makes one request over http or https. Follows no redirect. @throws {AppError} `egress` */
	http(address: string, options: HttpOptions): Promise<EgressAnswer>;
	/** Opens a WebSocket over ws or wss. The caller closes it. @throws {AppError} `egress` */
	webSocket(
		address: string,
		options: { timeoutMs: number; maxBytes: number; anyCertificate?: boolean }
	): Promise<WebSocket>;
}

/** Maximum number of resolved addresses that are tried. */
const MOST_ADDRESSES = 3;

const bySystem: Resolve = async (host) =>
	(await systemLookup(host, { all: true, verbatim: true })).map(({ address }) => address);

/** Codes of OpenSSL and of Node's own checks of a certificate. */
const TLS_CODE =
	/^(ERR_(SSL|TLS)|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|EPROTO)/;

const codeOf = (error: unknown): string =>
	error instanceof Error && 'code' in error ? String(error.code) : '';

/** Opens one connection to one address. The host name is used for TLS and messages only. */
function open(
	address: string,
	target: Target,
	options: DialOptions,
	timeoutMs: number
): Promise<Socket> {
	const name = targetText(target);
	const secure = options.tls === true;
	const socket = secure
		? tlsConnect({
				host: address,
				port: target.port,
				// An IP address is no server name (RFC 6066, section 3); the certificate is checked for it
				// all the same.
				...(isIP(target.host) === 0 ? { servername: target.host } : { servername: '' }),
				rejectUnauthorized: options.anyCertificate !== true,
				ALPNProtocols: [options.protocol ?? 'http/1.1']
			})
		: tcpConnect({ host: address, port: target.port });
	const opened = new Promise<Socket>((resolve, reject) => {
		socket.once(secure ? 'secureConnect' : 'connect', () => {
			socket.removeAllListeners('error');
			// Until the caller listens, a reset must not end the process.
			socket.on('error', () => undefined);
			resolve(socket);
		});
		socket.once('error', (cause) => {
			const bad = secure && TLS_CODE.test(codeOf(cause));
			reject(
				bad
					? new AppError('egress.tls', { server: name }, { cause })
					: new AppError('egress.unreachable', { server: name }, { cause })
			);
		});
		socket.once('close', () => reject(new AppError('egress.closed-at-once', { server: name })));
	});
	return inTime(opened, timeoutMs, name).catch((error: unknown) => {
		socket.destroy();
		throw error;
	});
}

export function createEgress({ listed, resolve = bySystem }: EgressOptions): Egress {
	/** Returns the addresses that may be used. @throws {AppError} `egress` */
	async function addressesOf(target: Target, timeoutMs: number): Promise<string[]> {
		const name = targetText(target);
		let found: readonly string[];
		if (isIP(target.host) !== 0) found = [target.host];
		else {
			const asked = Promise.resolve(resolve(target.host)).catch((cause: unknown) => {
				throw new AppError('egress.name-unknown', { host: target.host }, { cause });
			});
			found = await inTime(asked, timeoutMs, name);
		}
		if (found.length === 0) {
			throw new AppError('egress.name-without-address', { host: target.host });
		}
		const opened = found.every(isPublicAddress) ? [] : await listed();
		const allowed = found.filter((address) => mayReach(target, address, opened));
		if (allowed.length === 0) {
			throw new AppError('egress.forbidden', { server: name });
		}
		return allowed.slice(0, MOST_ADDRESSES);
	}

	async function dial(target: Target, options: DialOptions): Promise<Socket> {
		const until = performance.now() + options.timeoutMs;
		const left = (): number => until - performance.now();
		const addresses = await addressesOf(target, left());
		let last: unknown = null;
		for (const [at, address] of addresses.entries()) {
			const share = left() / (addresses.length - at);
			if (share <= 0) break;
			try {
				return await open(address, target, options, share);
			} catch (error) {
				last = error;
			}
		}
		throw last ?? new AppError('egress.timeout', { server: targetText(target) });
	}

	return {
		dial,

		async http(address, options) {
			const { url, scheme, target } = readUrl(address, ['http', 'https']);
			const name = targetText(target);
			const until = performance.now() + options.timeoutMs;
			const socket = await dial(target, { tls: scheme === 'https', timeoutMs: options.timeoutMs });
			const client = new Client(url.origin, {
				pipelining: 1,
				allowH2: false,
				// Deferred, because undici expects a connector to call back asynchronously.
				connect: (_options, callback) => queueMicrotask(() => callback(null, socket))
			});
			const exchange = async (): Promise<EgressAnswer> => {
				const { statusCode, headers, body } = await client.request({
					path: `${url.pathname}${url.search}`,
					method: options.method ?? 'GET',
					headers: { ...options.headers },
					...(options.body === undefined ? {} : { body: options.body })
				});
				const { 'content-type': type } = headers;
				const contentType = typeof type === 'string' ? type : null;
				if (options.maxBytes === 'status-only') {
					body.on('error', () => undefined).destroy();
					return { status: statusCode, contentType, body: Buffer.alloc(0) };
				}
				const collected = new Collected(options.maxBytes);
				for await (const chunk of body) {
					if (!collected.add(chunk as Buffer)) {
						throw new AppError('egress.too-large', { server: name });
					}
				}
				return { status: statusCode, contentType, body: await collected.whole() };
			};
			try {
				return await inTime(exchange(), until - performance.now(), name);
			} catch (cause) {
				if (isAppError(cause, 'egress')) throw cause;
				throw new AppError('egress.broken', { server: name, how: 'no-whole-answer' }, { cause });
			} finally {
				// Closes the socket, even while data is arriving.
				void client.destroy().catch(() => undefined);
				socket.destroy();
			}
		},

		async webSocket(address, { timeoutMs, maxBytes, anyCertificate = false }) {
			const { url, scheme, target } = readUrl(address, ['ws', 'wss']);
			const name = targetText(target);
			const until = performance.now() + timeoutMs;
			const socket = await dial(target, { tls: scheme === 'wss', anyCertificate, timeoutMs });
			const web = new WebSocket(url, {
				createConnection: () => socket,
				followRedirects: false,
				maxPayload: maxBytes,
				perMessageDeflate: false
			});
			const opened = new Promise<WebSocket>((resolved, reject) => {
				web.once('open', () => resolved(web));
				web.on('error', (cause) =>
					reject(new AppError('egress.broken', { server: name, how: 'no-websockets' }, { cause }))
				);
			});
			try {
				return await inTime(opened, until - performance.now(), name);
			} catch (error) {
				web.terminate();
				socket.destroy();
				throw error;
			}
		}
	};
}
