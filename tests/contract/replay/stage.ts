import { isJsonObject, JsonNumber, parseJson, stringifyJson } from '#lib/rpc/json.ts';
import type { JsonValue } from '#lib/rpc/json.ts';
import type { Devnet } from '../../support/devnet.ts';
import { mismatches, type Answer } from './compare.ts';
import type { Recording } from './recordings.ts';
import { Roles, castOf } from './roles.ts';

/** How to replay a recording whose own values do not fit this chain. */
interface Staging {
	/** Replaces the first recorded parameter: a height of this chain, or one of its transactions. */
	first?: JsonValue;
	/** Maximum number of attempts until the response matches, because start-up texts alternate. */
	attempts?: number;
	/** By default the daemon's own password is sent. */
	password?: string;
	/** The recorded bytes, which have the same meaning on every chain. */
	verbatim?: boolean;
}

export interface Played {
	recording: Recording;
	answer: Answer;
	mismatches: string[];
	/** The mapping of values, with everything that the whole replay has learned. */
	roles: Roles;
}

/** Replays recordings on a development network, one after another, in their order. */
export class Stage {
	readonly net: Devnet;
	readonly played = new Map<string, Played>();
	readonly #recordings: ReadonlyMap<string, Recording>;
	readonly #learned = new Map<string, string>();
	readonly #roles = new Map<string, Roles>();

	constructor(net: Devnet, recordings: ReadonlyMap<string, Recording>) {
		this.net = net;
		this.#recordings = recordings;
	}

	/** Ends the replay: all mappings are known. */
	settle(): void {
		for (const roles of [NOBODY, ...this.#roles.values()]) roles.settle();
	}

	/** The mapping for a recorded chain. */
	rolesOf({ chain }: Recording): Roles {
		const known = this.#roles.get(chain);
		if (known) return known;
		const { plays, key } = castOf(chain);
		const { pubkey, url } = this.net.chains.get(plays)!;
		const roles = new Roles({ pubkey, port: new URL(url).port }, this.#learned, key);
		this.#roles.set(chain, roles);
		return roles;
	}

	/** Mines with a chain's own daemon. */
	async mine(chain: string, count = 1): Promise<{ height: number; hash: string }> {
		const hashes = await this.net.rpc<string[]>(chain, 'generate', count);
		const height = await this.net.rpc<number>(chain, 'getblockcount');
		return { height, hash: hashes.at(-1)! };
	}

	/**
	 * The counterpart of a recorded id, address or hex text.
	 * @throws while it is unknown
	 */
	here(recorded: string): string {
		const known = this.#learned.get(recorded);
		if (known === undefined) throw new Error(`nothing has said what ${recorded} stands for`);
		return known;
	}

	/** Sets the counterpart of a recorded value that no response reveals. */
	cast(recorded: string, here: string): void {
		this.#learned.set(recorded, here);
	}

	/** Text of the first result, or of one member of it. */
	result(name: string, member?: string): string {
		const played = this.played.get(name);
		if (!played) throw new Error(`${name} was not played`);
		const answer = parseJson(played.answer.text);
		const result = isJsonObject(answer) ? answer['result'] : undefined;
		const value = member === undefined || !isJsonObject(result) ? result : result[member];
		if (typeof value !== 'string') throw new Error(`${name} gave ${played.answer.text}`);
		return value;
	}

	/** Sends recorded requests, transcribed for this chain, and compares the responses. */
	async play(...names: string[]): Promise<void> {
		for (const name of names) await this.stage(name, {});
	}

	/** Sends recorded bytes that have the same meaning on every chain; the response must match exactly. */
	async verbatim(name: string): Promise<void> {
		await this.stage(name, { verbatim: true });
	}

	async stage(name: string, staging: Staging): Promise<void> {
		const recording = this.#recordings.get(name);
		if (!recording) throw new Error(`there is no recording ${name}`);
		if (this.played.has(name)) throw new Error(`${name} was played before`);
		const roles = staging.verbatim ? NOBODY : this.rolesOf(recording);
		const body = recording.request === null ? null : requestOf(recording.request, roles, staging);
		const { http, method } = recording;
		const expected = { ...http, method, text: recording.answer };
		for (let left = staging.attempts ?? 1; left > 0; left--) {
			const answer = await this.#send(recording, body, staging);
			const found = mismatches(expected, answer, roles);
			this.played.set(name, { recording, answer, mismatches: found, roles });
			if (found.length === 0) return;
		}
	}

	async #send({ chain, http }: Recording, body: string | null, staging: Staging): Promise<Answer> {
		const { url, user, password } = this.net.chains.get(castOf(chain).plays)!;
		const secret = `${user}:${staging.password ?? password}`;
		const response = await fetch(new URL(http.path, url), {
			method: http.method,
			headers: { authorization: `Basic ${Buffer.from(secret).toString('base64')}` },
			...(body === null ? {} : { body })
		});
		return {
			status: response.status,
			contentType: response.headers.get('content-type') ?? '',
			text: await response.text()
		};
	}
}

/** The mapping in which every value maps to itself. */
const NOBODY = new Roles(null, new Map());

/** A request with its values transcribed for this chain; text that is not JSON is sent unchanged. */
function requestOf(text: string, roles: Roles, { first }: Staging): string {
	let request: JsonValue;
	try {
		request = parseJson(text);
	} catch {
		return text;
	}
	const words = (value: JsonValue): JsonValue => {
		if (typeof value === 'string') return roles.of(value) ?? roles.transcribe(value);
		if (Array.isArray(value)) return value.map(words);
		if (!isJsonObject(value)) return value;
		return Object.fromEntries(
			Object.entries(value).map(([name, inner]) => [roles.transcribe(name), words(inner)])
		);
	};
	if (!isJsonObject(request)) return text;
	const { params } = request;
	if (!Array.isArray(params)) return text;
	const own = (params as JsonValue[]).map((value, index) =>
		index === 0 && first !== undefined ? first : words(value)
	);
	return stringifyJson({ ...request, params: own });
}

/** A height or count as a parameter. */
export const number = (value: number): JsonNumber => new JsonNumber(String(value));
