import { isJsonObject, parseJson, stringifyJson, type JsonValue } from '#lib/rpc/json.ts';
import { TransportError } from './utxoClient.ts';

const ANSWER_LIMIT_MS = 20_000;

const hex = (value: JsonValue): bigint => {
	if (typeof value === 'string' && /^0x[0-9a-fA-F]*$/.test(value)) {
		return value === '0x' ? 0n : BigInt(value);
	}
	throw new TransportError('Invalid response: expected a number in hex');
};

const padded = (address: string): string => address.slice(2).toLowerCase().padStart(64, '0');

async function overHttp(url: string, body: string): Promise<string> {
	const response = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body,
		signal: AbortSignal.timeout(ANSWER_LIMIT_MS)
	});
	return response.text();
}

/** Sends one request over a WebSocket connection of its own. */
function overWebSocket(url: string, body: string): Promise<string> {
	return new Promise((resolve, reject) => {
		const socket = new WebSocket(url);
		const end = (settle: () => void): void => {
			clearTimeout(timer);
			socket.close();
			settle();
		};
		const timer = setTimeout(() => end(() => reject(new Error('timed out'))), ANSWER_LIMIT_MS);
		socket.addEventListener('open', () => socket.send(body));
		socket.addEventListener('message', ({ data }) => end(() => resolve(String(data))));
		socket.addEventListener('error', () => end(() => reject(new Error('connection failed'))));
	});
}

/** Client that uses the first responding node of an EVM chain. */
export class EvmClient {
	readonly #urls: readonly string[];

	/** @param urls http, https, ws or wss */
	constructor(urls: readonly string[]) {
		this.#urls = urls;
	}

	/** @throws {TransportError} when no node answers */
	async call(method: string, ...params: JsonValue[]): Promise<JsonValue> {
		const body = stringifyJson({ jsonrpc: '2.0', id: 0, method, params });
		let last = 'no node';
		for (const url of this.#urls) {
			try {
				const text = await (/^wss?:/.test(url) ? overWebSocket : overHttp)(url, body);
				const answer = parseJson(text);
				if (!isJsonObject(answer)) throw new Error('the answer has another form');
				const { error, result } = answer;
				if (isJsonObject(error)) throw new Error(String(error['message']));
				return result ?? null;
			} catch (cause) {
				const reason = cause instanceof Error ? (cause.cause ?? cause) : cause;
				last = reason instanceof Error ? reason.message || String(reason) : String(reason);
			}
		}
		throw new TransportError(last);
	}

	async height(): Promise<number> {
		return Number(hex(await this.call('eth_blockNumber')));
	}

	/** Returns a balance in smallest units. */
	async balance(address: string): Promise<bigint> {
		return hex(await this.call('eth_getBalance', address, 'latest'));
	}

	/** Returns a token balance in smallest units. */
	async tokenBalance(contract: string, address: string): Promise<bigint> {
		return hex(await this.#read(contract, `0x70a08231${padded(address)}`));
	}

	async tokenDecimals(contract: string): Promise<number> {
		return Number(hex(await this.#read(contract, '0x313ce567')));
	}

	#read(contract: string, data: string): Promise<JsonValue> {
		return this.call('eth_call', { to: contract, data }, 'latest');
	}
}
