import { readFileSync } from 'node:fs';
import { classify } from '#lib/chain/script.ts';
import { isJsonObject, JsonNumber, parseJson, stringifyJson } from '#lib/rpc/json.ts';
import type { JsonValue } from '#lib/rpc/json.ts';
import type { CoinEntry } from './coinsFile.ts';
import { TransportError, type UtxoClient } from './utxoClient.ts';

/** The daemon's configuration file is missing or unusable. */
export class DaemonConfigError extends Error {
	override readonly name = 'DaemonConfigError';
}

/** Options that the interface document requires in the configuration of a daemon that a node uses. */
export const DAEMON_OPTIONS: readonly string[] = ['logevents', 'txindex', 'addressindex'];

/** Client of a coin's daemon, which is located through its configuration file. */
export class DaemonClient implements UtxoClient {
	readonly #coin: string;
	readonly #url: string;
	readonly #authorization: string;

	/**
	 * @param options names of lines that the configuration must contain
	 * @throws {DaemonConfigError}
	 */
	constructor(entry: CoinEntry, options: readonly string[] = []) {
		this.#coin = entry.coin;
		const file = entry.confpath ?? `/root/.komodo/${entry.coin}/${entry.coin}.conf`;
		let text: string;
		try {
			text = readFileSync(file, 'utf8');
		} catch {
			throw new DaemonConfigError(
				`Error parsing the native wallet configuration '${file}': No such file or directory (os error 2)`
			);
		}
		const values = new Map(
			text.split('\n').flatMap((line) => {
				const [, key, value] = /^\s*(\w+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
				return key === undefined || value === undefined ? [] : [[key, value] as const];
			})
		);
		const read = (key: string): string => {
			const value = values.get(key);
			if (value === undefined) {
				throw new DaemonConfigError(`Conf file ${file} doesn't have the ${key} key`);
			}
			return value;
		};
		for (const option of options) {
			if (values.get(option) === '1') continue;
			throw new DaemonConfigError(`Conf file ${file} doesn't have ${option}=1`);
		}
		const credentials = `${read('rpcuser')}:${read('rpcpassword')}`;
		this.#authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
		const port = values.get('rpcport');
		if (port === undefined) {
			throw new DaemonConfigError(
				'Rpc port is not set neither in `coins` file nor in native daemon config'
			);
		}
		this.#url = `http://127.0.0.1:${port}/`;
	}

	async #call(method: string, ...params: unknown[]): Promise<JsonValue> {
		const problem = (reason: string): TransportError =>
			new TransportError(
				`JsonRpcError { client_info: "coin: ${this.#coin}", request: JsonRpcRequest { jsonrpc: "1.0", id: "0", method: "${method}" }, error: Transport("${reason}") }`
			);
		let text: string;
		try {
			const response = await fetch(this.#url, {
				method: 'POST',
				headers: { authorization: this.#authorization },
				body: stringifyJson({ jsonrpc: '1.0', id: '0', method, params })
			});
			text = await response.text();
			if (text === '') throw new Error(`HTTP status ${response.status}`);
		} catch (cause) {
			const reason = cause instanceof Error ? (cause.cause ?? cause) : cause;
			throw problem(reason instanceof Error ? reason.message : String(reason));
		}
		const answer = parseJson(text);
		if (!isJsonObject(answer)) throw problem('the answer has another form');
		if (isJsonObject(answer['error'])) throw problem(String(answer['error']['message']));
		return answer['result'] ?? null;
	}

	async height(): Promise<number> {
		const height = await this.#call('getblockcount');
		return height instanceof JsonNumber ? height.toNumber() : 0;
	}

	async balance(script: Uint8Array): Promise<bigint> {
		const { address } = classify(script);
		const found = await this.#call('getaddressbalance', { addresses: [address] });
		const balance = isJsonObject(found) ? found['balance'] : undefined;
		return balance instanceof JsonNumber ? BigInt(balance.source) : 0n;
	}

	async history(script: Uint8Array): Promise<{ txid: string; height: number }[]> {
		const { address } = classify(script);
		const found = await this.#call('getaddressdeltas', { addresses: [address] });
		const heights = new Map<string, number>();
		for (const delta of Array.isArray(found) ? (found as JsonValue[]) : []) {
			if (!isJsonObject(delta)) continue;
			const { txid, height } = delta;
			heights.set(String(txid), height instanceof JsonNumber ? height.toNumber() : 0);
		}
		return [...heights].map(([txid, height]) => ({ txid, height }));
	}

	async transaction(txid: string): Promise<string> {
		return String(await this.#call('getrawtransaction', txid));
	}

	async blockTime(height: number): Promise<number> {
		const block = await this.#call('getblock', String(height));
		const time = isJsonObject(block) ? block['time'] : undefined;
		return time instanceof JsonNumber ? time.toNumber() : 0;
	}

	close(): void {
		// Nothing to close: each call uses a connection of its own.
	}
}
