import { constants, createServer } from 'node:http2';
import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import type { LedgerApi } from '../ledger/api.ts';
import { LoopbackServer, type ClosableServer } from '../loopback.ts';
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
export class LightwalletdServer extends LoopbackServer {
	readonly #options: LightwalletdOptions;

	constructor(options: LightwalletdOptions) {
		super(options.port);
		this.#options = options;
	}

	protected override create(): ClosableServer {
		const sessions = new Set<ServerHttp2Session>();
		const server = createServer();
		server.on('session', (session) => {
			sessions.add(session);
			session.on('close', () => sessions.delete(session));
			session.on('error', () => session.destroy());
		});
		server.on('stream', (stream, headers) => this.#answer(stream, String(headers[':path'])));
		// An HTTP/2 server of Node.js does not close its connections.
		const closeAllConnections = (): void => {
			for (const session of sessions) session.destroy();
		};
		return Object.assign(server, { closeAllConnections });
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
}
