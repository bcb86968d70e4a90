import type { Socket } from 'node:net';
import { isJsonObject, readableJson, stringifyJson, type JsonValue } from '#lib/rpc/json.ts';
import { int } from '../rpc/coins.ts';
import type { LedgerApi } from '../ledger/api.ts';
import { callElectrum, ElectrumError, tipOf, type ElectrumContext } from './methods.ts';
import type { ScriptHashes } from './scriptHash.ts';

/** Maximum length of a line, as in ElectrumX. */
const MAX_LINE = 1_000_000;
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const INTERNAL_ERROR = -32603;

interface ConnectionOptions {
	ledger: LedgerApi;
	scripts: ScriptHashes;
	ports: { tcp: number; ssl: number };
	/** Milliseconds before each response; read anew each time. */
	latency: () => number;
	sent: () => void;
}

const failure = (id: JsonValue, code: number, message: string): JsonValue => ({
	jsonrpc: '2.0',
	error: { code: int(code), message },
	id
});

/** One client of an Electrum server: requests and responses are lines of JSON. */
export class Connection {
	readonly #socket: Socket;
	readonly #options: ConnectionOptions;
	readonly #scripts = new Map<string, string | null>();
	readonly #context: ElectrumContext;
	#tip: string | null = null;
	#rest = '';

	constructor(socket: Socket, options: ConnectionOptions) {
		this.#socket = socket;
		this.#options = options;
		const { ledger, scripts, ports, sent } = options;
		this.#context = {
			ledger,
			scripts,
			ports,
			sent,
			watchTip: () => {
				this.#tip = ledger.tip.hash;
			},
			watchScript: (scripthash) => {
				this.#scripts.set(scripthash, scripts.status(scripthash));
			},
			unwatchScript: (scripthash) => this.#scripts.delete(scripthash)
		};
		socket.setNoDelay(true);
		socket.setEncoding('utf8');
		socket.on('data', (part) => this.#hear(String(part)));
		socket.on('error', () => socket.destroy());
	}

	/** True while the client has subscriptions. */
	get watches(): boolean {
		return this.#tip !== null || this.#scripts.size > 0;
	}

	#hear(part: string): void {
		const lines = (this.#rest + part).split('\n');
		this.#rest = lines.pop()!;
		if (this.#rest.length > MAX_LINE || lines.some((line) => line.length > MAX_LINE)) {
			this.#socket.destroy();
			return;
		}
		for (const line of lines) if (line.trim() !== '') this.#take(line);
	}

	#take(line: string): void {
		const answer = this.#answerLine(line);
		if (answer === undefined) return;
		const latency = this.#options.latency();
		if (latency > 0) setTimeout(() => this.#write(answer), latency);
		else this.#write(answer);
	}

	#answerLine(line: string): JsonValue | undefined {
		const value = readableJson(line);
		if (value === undefined) return failure(null, PARSE_ERROR, 'invalid JSON');
		if (!Array.isArray(value)) return this.#answer(value);
		if (value.length === 0) return failure(null, INVALID_REQUEST, 'batch is empty');
		const answers = (value as JsonValue[]).flatMap((one) => this.#answer(one) ?? []);
		return answers.length > 0 ? answers : undefined;
	}

	/** Returns undefined for a JSON-RPC notification, which gets no response. */
	#answer(request: JsonValue): JsonValue | undefined {
		if (!isJsonObject(request) || typeof request['method'] !== 'string') {
			return failure(null, INVALID_REQUEST, 'invalid request');
		}
		const { id, method, params } = request;
		try {
			const result = callElectrum(this.#context, method, params);
			return id === undefined ? undefined : { jsonrpc: '2.0', result, id };
		} catch (cause) {
			if (id === undefined) return undefined;
			if (cause instanceof ElectrumError) return failure(id, cause.code, cause.message);
			return failure(id, INTERNAL_ERROR, 'internal server error');
		}
	}

	#write(value: JsonValue): void {
		if (!this.#socket.destroyed) this.#socket.write(`${stringifyJson(value)}\n`);
	}

	/** Notifies the client of changes since the last call. */
	notify(): void {
		const { ledger, scripts } = this.#options;
		if (this.#tip !== null && this.#tip !== ledger.tip.hash) {
			this.#tip = ledger.tip.hash;
			this.#tell('blockchain.headers.subscribe', [tipOf(ledger)]);
		}
		for (const [scripthash, known] of this.#scripts) {
			const status = scripts.status(scripthash);
			if (status === known) continue;
			this.#scripts.set(scripthash, status);
			this.#tell('blockchain.scripthash.subscribe', [scripthash, status]);
		}
	}

	#tell(method: string, params: JsonValue[]): void {
		this.#write({ jsonrpc: '2.0', method, params });
	}

	close(): void {
		this.#socket.destroy();
	}
}
