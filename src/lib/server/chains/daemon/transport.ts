import { lookup as resolveName } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Pool } from 'undici';
import type { Dispatcher } from 'undici';
import type { CertificateTrust } from '../../platform/config/types.ts';
import { Collected } from './answers/collected.ts';
import { connectorOf, isUntrusted } from './trust.ts';
import type { RawAnswer, Reached } from './types.ts';

/** What came, whatever it is. */
export type HttpAnswer = Omit<RawAnswer, 'id'>;

type TransportErrorKind = 'unreachable' | 'timeout' | 'truncated' | 'too-large';

/** A request that got no whole answer. */
export class TransportError extends Error {
	override readonly name = 'TransportError';
	readonly kind: TransportErrorKind;
	readonly reached: Reached;
	/** True when the time ran out before there was a connection: the next try would wait as long. */
	readonly silent: boolean;
	/** True when the certificate that was shown is not trusted: nothing was sent. */
	readonly untrusted: boolean;

	constructor(
		kind: TransportErrorKind,
		message: string,
		facts: { reached: Reached; silent?: boolean; untrusted?: boolean; cause?: unknown }
	) {
		super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
		this.kind = kind;
		this.reached = facts.reached;
		this.silent = facts.silent ?? false;
		this.untrusted = facts.untrusted ?? false;
	}
}

interface PostOptions {
	/** Value of the Authorization header; null sends none. */
	authorization: string | null;
	/** Milliseconds for the whole exchange. */
	timeoutMs: number;
	/** The answer is cut off when it grows beyond this many bytes. */
	maxBytes: number;
	/**
	 * A connection of its own, closed afterwards. Komodo daemon 0.9.0 writes head and body apart, and on a
	 * kept connection an answer of 16 KiB and more then waits some 40 ms for a delayed acknowledgement.
	 */
	ownConnection: boolean;
}

/** A name is resolved once; after a failed connection the next one asks again. */
function pinnedLookup(): { lookup: LookupFunction; forget: () => void } {
	let pinned: { address: string; family: number } | null = null;
	const lookup: LookupFunction = (hostname, options, callback) => {
		const answer = (address: string, family: number): void => {
			if (options.all) callback(null, [{ address, family }]);
			else callback(null, address, family);
		};
		if (pinned !== null) {
			answer(pinned.address, pinned.family);
			return;
		}
		resolveName(hostname, { family: options.family, all: false }, (error, address, family) => {
			if (error) {
				callback(error, '', 0);
				return;
			}
			pinned = { address, family };
			answer(address, family);
		});
	};
	return { lookup, forget: () => (pinned = null) };
}

/** One HTTP connection pool to one daemon. It follows no redirect and goes to one resolved address. */
export class Transport {
	readonly #pool: Pool;
	readonly #forgetAddress: () => void;

	constructor(
		url: string,
		options: {
			connections: number;
			connectTimeoutMs: number;
			trust?: CertificateTrust | undefined;
		}
	) {
		const target = new URL(url);
		// Komodo daemon 0.9.0 binds to 127.0.0.1, while "localhost" may first mean ::1.
		if (target.hostname === 'localhost') target.hostname = '127.0.0.1';
		const { lookup, forget } = pinnedLookup();
		this.#forgetAddress = forget;
		this.#pool = new Pool(target.origin, {
			connections: options.connections,
			pipelining: 1,
			// Below the daemon's idle time-out of 30 s, so that no request goes into a connection being closed.
			keepAliveTimeout: 4_000,
			keepAliveMaxTimeout: 20_000,
			headersTimeout: 0,
			bodyTimeout: 0,
			allowH2: false,
			connect: connectorOf(options.trust, {
				timeout: options.connectTimeoutMs,
				lookup,
				allowH2: false
			})
		});
	}

	/**
	 * Posts one body to `/`.
	 * @throws {TransportError}
	 */
	post(body: string, options: PostOptions): Promise<HttpAnswer> {
		return new Promise((resolve, reject) => {
			let controller: Dispatcher.DispatchController | null = null;
			let settled = false;
			let status = 0;
			let contentType = '';
			const collected = new Collected(options.maxBytes);
			const reached = (): Reached => (controller === null ? 'no' : 'maybe');

			const fail = (error: TransportError): void => {
				if (settled) return;
				settled = true;
				clearTimeout(timer);
				controller?.abort(error);
				reject(error);
			};
			const tooLarge = (): void => {
				const words = `The answer is larger than ${options.maxBytes} bytes.`;
				fail(new TransportError('too-large', words, { reached: 'yes' }));
			};
			const timer = setTimeout(() => {
				const words = controller === null ? 'No connection' : 'No answer';
				fail(
					new TransportError('timeout', `${words} within ${options.timeoutMs} ms.`, {
						reached: reached(),
						silent: controller === null
					})
				);
			}, options.timeoutMs);

			const headers: Record<string, string> = { 'content-type': 'text/plain' };
			if (options.authorization !== null) headers['authorization'] = options.authorization;
			this.#pool.dispatch(
				{ path: '/', method: 'POST', headers, body, reset: options.ownConnection },
				{
					onRequestStart: (started) => {
						controller = started;
						if (settled) started.abort(new Error('The call has ended.'));
					},
					onResponseStart: (_controller, statusCode, responseHeaders) => {
						status = statusCode;
						contentType = String(responseHeaders['content-type'] ?? '');
						const length = Number(responseHeaders['content-length'] ?? 0);
						if (length > options.maxBytes) tooLarge();
						else if (length > 0) collected.announce(length);
					},
					onResponseData: (_controller, chunk) => {
						if (!settled && !collected.add(chunk)) tooLarge();
					},
					onResponseEnd: () => {
						if (settled) return;
						settled = true;
						clearTimeout(timer);
						resolve({ status, contentType, body: collected.bytes() });
					},
					onResponseError: (_controller, cause) => {
						if (controller === null) {
							this.#forgetAddress();
							const silent = (cause as { code?: unknown }).code === 'UND_ERR_CONNECT_TIMEOUT';
							fail(
								new TransportError('unreachable', 'No connection to the daemon.', {
									reached: 'no',
									silent,
									untrusted: isUntrusted(cause),
									cause
								})
							);
						} else {
							const began = status !== 0;
							const words = began
								? 'The answer ended before it was whole.'
								: 'The connection ended without an answer.';
							fail(
								new TransportError('truncated', words, {
									reached: began ? 'yes' : 'maybe',
									cause
								})
							);
						}
					}
				}
			);
		});
	}

	async close(): Promise<void> {
		await this.#pool.destroy();
	}
}
