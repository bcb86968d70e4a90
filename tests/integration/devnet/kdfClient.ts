import { isJsonObject, parseJson, stringifyJson, type JsonValue } from '#lib/rpc/json.ts';
import { decodeKdfResult } from '#lib/rpc/kdf/codec.ts';
import { methodOfBody, type KdfDialect } from '#lib/rpc/kdf/index.ts';
import type { Devnet } from '../../support/devnet.ts';

interface Reply {
	status: number;
	headers: Headers;
	text: string;
	body: unknown;
}

type Params = { readonly [name: string]: unknown };

/** Calls the trading node of a network; every result must have the registry's strict form. */
export class KdfClient {
	readonly #net: Devnet;
	readonly #dialect: KdfDialect;

	constructor(net: Devnet, dialect: KdfDialect) {
		this.#net = net;
		this.#dialect = dialect;
	}

	async post(body: unknown): Promise<Reply> {
		const response = await fetch(this.#net.node.url, {
			method: 'POST',
			body: typeof body === 'string' ? body : JSON.stringify(body)
		});
		const text = await response.text();
		return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
	}

	async #checked(method: string, isV2: boolean, more: Params): Promise<Reply> {
		const reply = await this.post({ userpass: this.#net.node.password, method, ...more });
		const known = methodOfBody(method, isV2);
		if (reply.status === 200 && known) {
			const whole = parseJson(reply.text);
			const wire = isV2 && isJsonObject(whole) ? whole['result']! : whole;
			decodeKdfResult(known, wire, this.#dialect);
			// Each profile accepts only its own spelling.
			if (stringifyJson(wire) === '') throw new Error('nothing was answered');
		}
		return reply;
	}

	/** A method of the first protocol. */
	legacy(method: string, params: Params = {}): Promise<Reply> {
		return this.#checked(method, false, params);
	}

	/** A method of the second protocol. */
	v2(method: string, params?: Params): Promise<Reply> {
		return this.#checked(method, true, { mmrpc: '2.0', ...(params ? { params } : {}) });
	}

	/** The result of a method of the second protocol. */
	async result<T>(method: string, params?: Params): Promise<T> {
		const reply = await this.v2(method, params);
		if (reply.status !== 200) throw new Error(`${method}: ${reply.text}`);
		return (reply.body as { result: T }).result;
	}

	status(family: string, id: number): Promise<{ status: string; details?: JsonValue }> {
		return this.result(`task::${family}::status`, { task_id: id, forget_if_finished: false });
	}

	/** Starts a task. */
	async init(family: string, params: Params): Promise<number> {
		return (await this.result<{ task_id: number }>(`task::${family}::init`, params)).task_id;
	}

	/**
	 * Polls a task until it is in one of these states.
	 * @returns all distinct states before that
	 */
	async until(
		family: string,
		id: number,
		...wanted: string[]
	): Promise<{ status: string; details: unknown; seen: unknown[] }> {
		const seen: unknown[] = [];
		for (;;) {
			const { status, details } = await this.status(family, id);
			if (wanted.includes(status)) return { status, details, seen };
			if (status !== 'InProgress' && status !== 'UserActionRequired') {
				throw new Error(`the task ended as ${status}: ${JSON.stringify(details)}`);
			}
			if (JSON.stringify(seen.at(-1)) !== JSON.stringify(details)) seen.push(details);
		}
	}
}
