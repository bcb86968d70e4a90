import { constants, createServer } from 'node:http2';
import type { Http2Server, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import type { LedgerApi } from '../ledger/api.ts';
import { listenOnLoopback } from '../loopback.ts';
import { blockId, frameOf, lightdInfo, SERVICE } from './wire.ts';

/** gRPC status code for an unknown method. */
const UNIMPLEMENTED = '12';

interface LightwalletdOptions {
	port: number;
	/** The chain whose height it reports, and that chain's name. */
	ledger: Pick<LedgerApi, 'height'>;
	chain: string;
}

/**
 * A server for light wallets of a shielded coin: gRPC over unencrypted HTTP/2, on 127.0.0.1 only. It reports
 * only the height of the chain.
 */
export class LightwalletdServer {
	readonly port: number;
	readonly #options: LightwalletdOptions;
	readonly #sessions = new Set<ServerHttp2Session>();
	#server: Http2Server | null = null;

	constructor(options: LightwalletdOptions) {
		this.port = options.port;
		this.#options = options;
	}

	get isOpen(): boolean {
		return this.#server !== null;
	}

	async open(): Promise<void> {
		if (this.#server) return;
		const server = createServer();
		server.on('session', (session) => {
			this.#sessions.add(session);
			session.on('close', () => this.#sessions.delete(session));
			session.on('error', () => session.destroy());
		});
		server.on('stream', (stream, headers) => this.#answer(stream, String(headers[':path'])));
		await listenOnLoopback(server, this.port);
		this.#server = server;
	}

	#answer(stream: ServerHttp2Stream, path: string): void {
		const { ledger, chain } = this.#options;
		stream.on('error', () => stream.close(constants.NGHTTP2_INTERNAL_ERROR));
		const message =
			path === `${SERVICE}GetLatestBlock`
				? blockId(ledger.height)
				: path === `${SERVICE}GetLightdInfo`
					? lightdInfo(chain, ledger.height)
					: null;
		const headers = { ':status': 200, 'content-type': 'application/grpc' };
		if (message === null) {
			stream.respond({ ...headers, 'grpc-status': UNIMPLEMENTED }, { endStream: true });
			return;
		}
		stream.respond(headers, { waitForTrailers: true });
		stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
		stream.end(frameOf(message));
	}

	/** Stops listening and breaks open connections. */
	async close(): Promise<void> {
		const server = this.#server;
		if (!server) return;
		this.#server = null;
		for (const session of this.#sessions) session.destroy();
		await new Promise<void>((resolve) => server.close(() => resolve()));
	}
}
