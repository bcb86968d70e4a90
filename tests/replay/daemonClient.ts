/** Calls a daemon directly, without the product, so that both can be compared. */
import { decodeResult, encodeParams, type Dialect } from '#lib/rpc/codec.ts';
import type { DaemonMethod, DaemonParams, DaemonResult } from '#lib/rpc/daemon/index.ts';
import { isJsonObject, parseJson, stringifyJson, type JsonValue } from '#lib/rpc/json.ts';
import type { DaemonAccess } from './configuration.ts';

const DEADLINE_MS = 60_000;

export interface DaemonAnswer {
	status: number;
	text: string;
	result: JsonValue;
	error: JsonValue;
}

/** Identity of a daemon, as it reports itself. */
interface DaemonIdentity {
	/** Name of the chain. */
	name: string;
	pubkey: string | null;
	/** 0 without `ac_cc`. */
	ccid: number;
	/** `main`, `test` or `regtest`. */
	network: string | null;
	/** True unless the daemon reports false. */
	isTestnet: boolean;
}

/** A daemon that returned an error, or did not respond. */
export class DaemonRefusal extends Error {
	override readonly name = 'DaemonRefusal';
	readonly code = 'refused';
}

/** Returns the message of the refusal when the daemon refuses a call; null when the call succeeds. */
export async function daemonRefusal(call: () => Promise<unknown>): Promise<string | null> {
	try {
		await call();
		return null;
	} catch (error) {
		if (!(error instanceof DaemonRefusal)) throw error;
		return error.message;
	}
}

export class DaemonClient {
	readonly access: DaemonAccess;
	/** The daemon's dialect; detected by {@link DaemonClient.identify}. */
	dialect: Dialect = 'komodod';

	constructor(access: DaemonAccess) {
		this.access = access;
	}

	async #post(body: string): Promise<{ status: number; text: string }> {
		const { url, user, password, file } = this.access;
		try {
			const answer = await fetch(url, {
				method: 'POST',
				headers: {
					authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
				},
				body,
				signal: AbortSignal.timeout(DEADLINE_MS)
			});
			return { status: answer.status, text: await answer.text() };
		} catch (cause) {
			throw new DaemonRefusal(`The daemon of ${file} does not answer at ${url}.`, { cause });
		}
	}

	/** The bytes of a request. */
	request(method: string, params: readonly JsonValue[]): string {
		return stringifyJson({ jsonrpc: '1.0', id: 'replay', method, params });
	}

	/** Posts a request and returns the response, whatever it is. */
	async answer(body: string): Promise<DaemonAnswer> {
		const { status, text } = await this.#post(body);
		let envelope: JsonValue = null;
		try {
			envelope = parseJson(text);
		} catch {
			// The response is not JSON: only the status counts.
		}
		const { result = null, error = null } = isJsonObject(envelope) ? envelope : {};
		return { status, text, result, error };
	}

	/**
	 * A method's raw result, with the digits of its numbers.
	 * @throws {DaemonRefusal}
	 */
	async wire<M extends DaemonMethod>(method: M, ...params: DaemonParams<M>): Promise<JsonValue> {
		const encoded = encodeParams(method, params, this.dialect);
		const { status, result, error } = await this.answer(this.request(method, encoded));
		if (status !== 200 || error !== null) {
			throw new DaemonRefusal(`${method}: ${status} ${stringifyJson(error)}`);
		}
		return result;
	}

	/**
	 * A method's decoded result.
	 * @throws {DaemonRefusal}
	 */
	async call<M extends DaemonMethod>(
		method: M,
		...params: DaemonParams<M>
	): Promise<DaemonResult<M>> {
		return decodeResult(method, await this.wire(method, ...params), this.dialect);
	}

	/** Makes several calls in a batch; a refused one is null. */
	async batch(
		calls: readonly { method: DaemonMethod; params: readonly JsonValue[] }[]
	): Promise<JsonValue[]> {
		const body = stringifyJson(
			calls.map(({ method, params }, id) => ({ jsonrpc: '1.0', id, method, params }))
		);
		const { status, text } = await this.#post(body);
		const answers = status === 200 ? parseJson(text) : null;
		if (!Array.isArray(answers) || answers.length !== calls.length) {
			throw new DaemonRefusal(`A batch of ${calls.length} calls: ${status} ${text.slice(0, 200)}`);
		}
		return (answers as JsonValue[]).map((one) =>
			isJsonObject(one) ? (one['result'] ?? null) : null
		);
	}

	/**
	 * Detects the daemon's identity and dialect. Only the deciding members are read: whether the whole response
	 * fits is checked later.
	 * @throws {DaemonRefusal}
	 */
	async identify(): Promise<DaemonIdentity> {
		const [info, blockchain] = [await this.wire('getinfo'), await this.wire('getblockchaininfo')];
		const said = isJsonObject(info) ? info : {};
		const network = isJsonObject(blockchain) ? blockchain['chain'] : null;
		// Every release of the Komodo daemon returns its KMDversion; the interface document does not have it.
		this.dialect = said['KMDversion'] === undefined ? 'seed' : 'komodod';
		const { name, pubkey, CCid } = said;
		return {
			name: typeof name === 'string' ? name : '',
			pubkey: typeof pubkey === 'string' ? pubkey : null,
			ccid: CCid === undefined ? 0 : Number(stringifyJson(CCid)),
			network: typeof network === 'string' ? network : null,
			isTestnet: said['testnet'] !== false
		};
	}
}
