import { connect, type ClientHttp2Session } from 'node:http2';
import { frameOf, heightIn, SERVICE } from '../lightwalletd/wire.ts';

const CONNECT_LIMIT_MS = 10_000;

/** No lightwalletd server is usable; messages are those of the release. */
export class LightClientError extends Error {
	override readonly name = 'LightClientError';
}

const connectionFailure = (cause: NodeJS.ErrnoException): string => {
	const inner =
		cause.code === 'ECONNREFUSED'
			? 'Os { code: 111, kind: ConnectionRefused, message: "Connection refused" }'
			: `Custom { kind: Uncategorized, error: ${JSON.stringify(cause.message)} }`;
	return `ConnectionFailure(tonic::transport::Error(Transport, hyper::Error(Connect, ConnectError("tcp connect error", ${inner}))))`;
};

function open(url: string): Promise<ClientHttp2Session> {
	return new Promise((resolve, reject) => {
		const session = connect(url);
		const timer = setTimeout(
			() => session.destroy(new Error('connection timed out')),
			CONNECT_LIMIT_MS
		).unref();
		session.on('error', (cause) => {
			clearTimeout(timer);
			reject(cause as Error);
		});
		session.once('connect', () => {
			clearTimeout(timer);
			resolve(session);
		});
	});
}

/** Reads the chain of a shielded coin through the first responding lightwalletd server. */
export class LightClient {
	readonly #sessions: Map<string, ClientHttp2Session>;

	private constructor(sessions: Map<string, ClientHttp2Session>) {
		this.#sessions = sessions;
	}

	/** Connects to all reachable servers. @throws {LightClientError} when none is reachable */
	static async connect(urls: readonly string[]): Promise<LightClient> {
		if (urls.length === 0) throw new LightClientError('EmptyLightwalletdUris');
		const sessions = new Map<string, ClientHttp2Session>();
		const errors: string[] = [];
		for (const url of urls) {
			try {
				sessions.set(url, await open(url));
			} catch (cause) {
				const code = (cause as NodeJS.ErrnoException).code;
				errors.push(
					code === 'ERR_INVALID_URL' || code === 'ERR_HTTP2_UNSUPPORTED_PROTOCOL'
						? 'InvalidUri(InvalidUri(InvalidFormat))'
						: connectionFailure(cause as NodeJS.ErrnoException)
				);
			}
		}
		if (sessions.size > 0) return new LightClient(sessions);
		throw new LightClientError(
			`Fail to init clients while iterating lightwalletd urls [${errors.join(', ')}]`
		);
	}

	/** Returns the tip height, reconnecting if necessary. Rejects when no server responds. */
	async height(): Promise<number> {
		for (const [url, session] of this.#sessions) {
			try {
				const alive = session.destroyed ? await open(url) : session;
				this.#sessions.set(url, alive);
				const height = await this.#ask(alive);
				if (height !== null) return height;
			} catch {
				// Try the next one.
			}
		}
		throw new Error('All the current light clients are unavailable.');
	}

	#ask(session: ClientHttp2Session): Promise<number | null> {
		return new Promise((resolve, reject) => {
			const request = session.request({
				':method': 'POST',
				':path': `${SERVICE}GetLatestBlock`,
				'content-type': 'application/grpc',
				te: 'trailers'
			});
			const parts: Buffer[] = [];
			request.on('data', (part: Buffer) => parts.push(part));
			request.on('error', reject);
			request.on('close', () => resolve(null));
			request.on('end', () => resolve(heightIn(Buffer.concat(parts))));
			request.end(frameOf(new Uint8Array()));
		});
	}

	close(): void {
		for (const session of this.#sessions.values()) session.destroy();
	}
}
