import { createConnection, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { parseHeader } from '#lib/chain/block.ts';
import { isJsonObject, JsonNumber, parseJson, type JsonValue } from '#lib/rpc/json.ts';
import { scriptHashOf } from '../electrum/scriptHash.ts';
import { TransportError, type UtxoClient } from './utxoClient.ts';

/** An Electrum server as given in an activation. */
export interface ElectrumServerSpec {
	/** `host:port`. */
	url: string;
	protocol: 'TCP' | 'SSL' | 'WS' | 'WSS';
	disable_cert_verification: boolean;
}

const CONNECT_LIMIT_MS = 20_000;
const ANSWER_LIMIT_MS = 20_000;
const CLIENT_NAME = 'komodeck devnet node';

const hostAndPort = (url: string): { host: string; port: number } => {
	const at = url.lastIndexOf(':');
	return { host: url.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(url.slice(at + 1)) };
};

const withOsError = (cause: NodeJS.ErrnoException): string => {
	if (cause.code === 'ECONNREFUSED') return 'Connection refused (os error 111)';
	if (cause.code === 'ENOTFOUND' || cause.code === 'EAI_AGAIN') {
		return 'failed to lookup address information: Name or service not known';
	}
	if (cause.code?.includes('SELF_SIGNED') || cause.code?.startsWith('UNABLE_TO_')) {
		return 'invalid peer certificate: UnknownIssuer';
	}
	return cause.message;
};

/** One open connection to a server. */
class ElectrumLine {
	readonly #socket: Socket;
	readonly #waiting = new Map<
		string,
		{ done: (v: JsonValue) => void; failed: (e: Error) => void }
	>();
	#rest = '';
	#nextId = 0;
	#broken: string | null = null;

	constructor(socket: Socket) {
		this.#socket = socket;
		socket.setEncoding('utf8');
		socket.on('data', (part) => this.#hear(String(part)));
		socket.on('error', (cause: NodeJS.ErrnoException) => this.#break(withOsError(cause)));
		socket.on('close', () => this.#break('Connection closed'));
	}

	get isOpen(): boolean {
		return this.#broken === null;
	}

	#break(reason: string): void {
		this.#broken ??= reason;
		this.#socket.destroy();
		for (const { failed } of this.#waiting.values()) failed(new Error(this.#broken));
		this.#waiting.clear();
	}

	#hear(part: string): void {
		const lines = (this.#rest + part).split('\n');
		this.#rest = lines.pop()!;
		for (const line of lines) {
			let answer: JsonValue;
			try {
				answer = parseJson(line);
			} catch {
				return this.#break('the answer is not JSON');
			}
			if (!isJsonObject(answer)) continue;
			const waiting = this.#waiting.get(String(answer['id']));
			if (!waiting) continue;
			this.#waiting.delete(String(answer['id']));
			const { error, result } = answer;
			if (isJsonObject(error)) waiting.failed(new Error(String(error['message'])));
			else waiting.done(result ?? null);
		}
	}

	call(method: string, params: readonly unknown[]): Promise<JsonValue> {
		if (this.#broken !== null) return Promise.reject(new Error(this.#broken));
		const id = String(this.#nextId++);
		return new Promise((resolve, reject) => {
			const timer = setTimeout(() => {
				this.#waiting.delete(id);
				reject(new Error('request timed out'));
			}, ANSWER_LIMIT_MS);
			const end =
				<T>(settle: (value: T) => void) =>
				(value: T): void => {
					clearTimeout(timer);
					settle(value);
				};
			this.#waiting.set(id, { done: end(resolve), failed: end(reject) });
			this.#socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
		});
	}

	close(): void {
		this.#break('Connection closed');
	}
}

/** Opens a connection and performs the handshake. Rejects with the reason. */
async function openLine(server: ElectrumServerSpec): Promise<ElectrumLine> {
	const { host, port } = hostAndPort(server.url);
	if (server.protocol === 'WS' || server.protocol === 'WSS') {
		throw new Error("Incorrect protocol for native connection ('WS' or 'WSS')");
	}
	const socket = await new Promise<Socket>((resolve, reject) => {
		const made =
			server.protocol === 'SSL'
				? connectTls({
						host,
						port,
						...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
						rejectUnauthorized: !server.disable_cert_verification
					})
				: createConnection({ host, port });
		const timer = setTimeout(() => made.destroy(new Error('timed out')), CONNECT_LIMIT_MS);
		made.once('error', (cause: NodeJS.ErrnoException) => {
			clearTimeout(timer);
			reject(new Error(`Failed to establish connection: ${withOsError(cause)}`));
		});
		made.once(server.protocol === 'SSL' ? 'secureConnect' : 'connect', () => {
			clearTimeout(timer);
			resolve(made);
		});
	});
	const line = new ElectrumLine(socket);
	try {
		await line.call('server.version', [CLIENT_NAME, ['1.2', '1.4']]);
		return line;
	} catch (cause) {
		line.close();
		throw cause;
	}
}

const integer = (value: JsonValue | undefined): bigint => {
	if (value instanceof JsonNumber && /^-?\d+$/.test(value.source)) return BigInt(value.source);
	throw new Error('the answer has another form');
};

/** Client that uses any reachable one of a coin's Electrum servers. */
export class ElectrumClient implements UtxoClient {
	readonly #coin: string;
	readonly #servers: readonly ElectrumServerSpec[];
	readonly #most: number;
	readonly #lines = new Map<ElectrumServerSpec, ElectrumLine>();
	#opening: Promise<Map<ElectrumServerSpec, string>> | null = null;
	#closed = false;

	constructor(coin: string, servers: readonly ElectrumServerSpec[], most: number) {
		this.#coin = coin;
		this.#servers = servers;
		this.#most = most;
	}

	/**
	 * Opens missing connections up to the wanted number; returns the servers that failed, with the reason.
	 */
	async #connect(): Promise<Map<ElectrumServerSpec, string>> {
		const failed = new Map<ElectrumServerSpec, string>();
		for (const [server, line] of this.#lines) if (!line.isOpen) this.#lines.delete(server);
		const missing = this.#servers.filter((server) => !this.#lines.has(server));
		await Promise.all(
			missing
				.slice(0, Math.max(0, this.#most - this.#lines.size))
				.map((server) => this.#open(server, failed))
		);
		for (const server of missing.slice(Math.max(0, this.#most - this.#lines.size))) {
			if (this.#lines.size > 0) break;
			if (!failed.has(server)) await this.#open(server, failed);
		}
		return failed;
	}

	async #open(server: ElectrumServerSpec, failed: Map<ElectrumServerSpec, string>): Promise<void> {
		try {
			const line = await openLine(server);
			if (this.#closed) line.close();
			else this.#lines.set(server, line);
		} catch (cause) {
			failed.set(server, cause instanceof Error ? cause.message : String(cause));
		}
	}

	async #call(method: string, params: readonly unknown[]): Promise<JsonValue> {
		this.#opening ??= this.#connect().finally(() => {
			this.#opening = null;
		});
		const failed = await this.#opening;
		for (const [server, line] of this.#lines) {
			try {
				return await line.call(method, params);
			} catch (cause) {
				failed.set(server, cause instanceof Error ? cause.message : String(cause));
			}
		}
		const shown = params.map((one) => `String("${String(one)}")`).join(', ');
		const errors = [...failed]
			.map(([{ url }, reason]) => `(${url}, Transport("${reason}"))`)
			.join(', ');
		throw new TransportError(
			`JsonRpcError { client_info: "coin: ${this.#coin}", request: JsonRpcRequest { jsonrpc: "2.0", id: "0", method: "${method}", params: [${shown}] }, error: Internal("All servers errored: [${errors}]") }`
		);
	}

	async height(): Promise<number> {
		const tip = await this.#call('blockchain.headers.subscribe', []);
		return Number(integer(isJsonObject(tip) ? tip['height'] : undefined));
	}

	async balance(script: Uint8Array): Promise<bigint> {
		const found = await this.#call('blockchain.scripthash.get_balance', [scriptHashOf(script)]);
		if (!isJsonObject(found)) throw new TransportError('the answer has another form');
		return integer(found['confirmed']) + integer(found['unconfirmed']);
	}

	async history(script: Uint8Array): Promise<{ txid: string; height: number }[]> {
		const found = await this.#call('blockchain.scripthash.get_history', [scriptHashOf(script)]);
		return (Array.isArray(found) ? (found as JsonValue[]) : []).flatMap((entry) =>
			isJsonObject(entry)
				? [{ txid: String(entry['tx_hash']), height: Number(integer(entry['height'])) }]
				: []
		);
	}

	async transaction(txid: string): Promise<string> {
		return String(await this.#call('blockchain.transaction.get', [txid]));
	}

	async blockTime(height: number): Promise<number> {
		return parseHeader(String(await this.#call('blockchain.block.header', [height]))).time;
	}

	close(): void {
		this.#closed = true;
		for (const line of this.#lines.values()) line.close();
		this.#lines.clear();
	}
}
