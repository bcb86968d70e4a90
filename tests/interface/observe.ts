/** Calls devnet's daemons and records parameters and results. */
import { encodeParams, inBandError, type Dialect } from '#lib/rpc/codec.ts';
import { daemonMethods, type DaemonMethod, type DaemonParams } from '#lib/rpc/daemon/index.ts';
import { isJsonObject, parseJson, stringifyJson, type JsonValue } from '#lib/rpc/json.ts';
import type { Devnet } from '../support/devnet.ts';

/** One call and its outcome. */
export interface Observation {
	method: string;
	/** Number of given parameters. */
	given: number;
	accepted: boolean;
	/** Null when it was refused. */
	result: JsonValue;
}

export class CallRefused extends Error {
	override readonly name = 'CallRefused';
}

export interface Observer {
	readonly net: Devnet;
	readonly seen: readonly Observation[];
	/**
	 * Calls with decoded parameters, which are encoded in the network's dialect.
	 * @throws {CallRefused}
	 */
	call<M extends DaemonMethod>(
		daemon: string,
		method: M,
		...params: DaemonParams<M>
	): Promise<JsonValue>;
	/** Repeats every method without each of its required parameters and all later ones. */
	shorten(): Promise<void>;
}

interface Accepted {
	daemon: string;
	wire: readonly JsonValue[];
}

export function observer(net: Devnet, dialect: Dialect): Observer {
	const seen: Observation[] = [];
	const longest = new Map<string, Accepted>();

	async function send(
		daemon: string,
		method: string,
		wire: readonly JsonValue[]
	): Promise<JsonValue> {
		const reply = await net.post(
			daemon,
			stringifyJson({ jsonrpc: '1.0', id: 'interface', method, params: wire })
		);
		const answer = parseJson(reply.text);
		const { result = null, error = null } = isJsonObject(answer) ? answer : {};
		const definition = Object.hasOwn(daemonMethods, method)
			? daemonMethods[method as DaemonMethod]
			: null;
		const soft = definition === null ? null : inBandError(definition, result);
		const refusal = error === null ? soft : stringifyJson(error);
		seen.push({ method, given: wire.length, accepted: refusal === null, result });
		if (refusal !== null) throw new CallRefused(`${daemon} ${method}: ${refusal}`);
		if ((longest.get(method)?.wire.length ?? -1) < wire.length)
			longest.set(method, { daemon, wire });
		return result;
	}

	return {
		net,
		seen,
		call: (daemon, method, ...params) =>
			send(daemon, method, encodeParams(method, params as never, dialect)),
		async shorten() {
			for (const [method, { daemon, wire }] of longest) {
				for (let count = 0; count < wire.length; count += 1) {
					await send(daemon, method, wire.slice(0, count)).catch((error: unknown) => {
						if (!(error instanceof CallRefused)) throw error;
					});
				}
			}
		}
	};
}

/** The member of a result that is an object; its name in the spelling of the daemon or of the document. */
export function member(result: JsonValue, ...names: readonly string[]): string {
	const found = isJsonObject(result)
		? names.map((name) => result[name]).find((value) => value !== undefined)
		: undefined;
	if (typeof found !== 'string')
		throw new Error(`The answer has no text called ${names.join(' or ')}.`);
	return found;
}
