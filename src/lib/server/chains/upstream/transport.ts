import { lookup as resolveName } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Pool } from 'undici';
import { isAppError, type AppError } from '../../platform/errors/appError.ts';
import type { CertificateTrust } from '../../platform/config/types.ts';
import { RequestHandler, type HttpAnswer } from './requestHandler.ts';
import { connectorOf } from './trust.ts';

interface PostOptions {
	/** Value of the Authorization header; null to send none. */
	authorization: string | null;
	/** Milliseconds for the whole request. */
	timeoutMs: number;
	/** The answer is cut off when it grows beyond this many bytes. */
	maxBytes: number;
	/**
	 * The call changes nothing. Only such a request uses a kept-alive connection: if the server is just closing it,
	 * the request is lost, possibly after it was read, and must be sent again over a new connection.
	 */
	retry: boolean;
	/**
	 * Uses a new connection that is closed afterwards. Komodo daemon 0.9.0 writes head and body separately, so on a
	 * kept-alive connection an answer of 16 KiB or more waits some 40 ms for a delayed acknowledgement.
	 */
	ownConnection?: boolean;
}

/** Whether the connection ended before any byte of the answer arrived. */
const isLost = (error: AppError): boolean =>
	isAppError(error, 'transport.truncated') && error.params.delivery === 'unknown';

/** Resolves the host name once and keeps its address until a connection fails. */
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

/** The HTTP connections to one daemon. Follows no redirects and connects to one resolved address. */
export class Transport {
	/** Kept-alive connections; `#single` opens one for each request. */
	readonly #kept: Pool;
	readonly #single: Pool;
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
		// Komodo daemon 0.9.0 binds to 127.0.0.1, while "localhost" may resolve to ::1 first.
		if (target.hostname === 'localhost') target.hostname = '127.0.0.1';
		const { lookup, forget } = pinnedLookup();
		this.#forgetAddress = forget;
		const settings = {
			connections: options.connections,
			pipelining: 1,
			// Below the daemon's idle timeout of 30 s, so that no request uses a connection that is being closed.
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
		};
		this.#kept = new Pool(target.origin, settings);
		this.#single = new Pool(target.origin, settings);
	}

	/**
	 * Posts one body to `/`.
	 * @throws {AppError} `transport`: no complete answer; its params say whether the request was delivered
	 */
	post(body: string, options: PostOptions): Promise<HttpAnswer> {
		return new Promise((resolve, reject) => {
			if (!options.retry || options.ownConnection === true) {
				this.#over(this.#single, body, options, { resolve, reject });
				return;
			}
			const ends = performance.now() + options.timeoutMs;
			this.#over(this.#kept, body, options, {
				resolve,
				reject: (error) => {
					if (!isLost(error)) return reject(error);
					const timeoutMs = Math.max(1, ends - performance.now());
					this.#over(this.#single, body, { ...options, timeoutMs }, { resolve, reject });
				}
			});
		});
	}

	#over(
		pool: Pool,
		body: string,
		options: PostOptions,
		end: { resolve: (answer: HttpAnswer) => void; reject: (error: AppError) => void }
	): void {
		const headers: Record<string, string> = { 'content-type': 'text/plain' };
		if (options.authorization !== null) headers['authorization'] = options.authorization;
		pool.dispatch(
			{ path: '/', method: 'POST', headers, body, reset: pool === this.#single },
			new RequestHandler(options, this.#forgetAddress, end)
		);
	}

	async close(): Promise<void> {
		await Promise.all([this.#kept.destroy(), this.#single.destroy()]);
	}
}
