/** Calls devnet's trading node through the RPC API, like a script, and records parameters and results. */
import {
	isJsonObject,
	JsonNumber,
	parseJson,
	stringifyJson,
	type JsonValue
} from '#lib/rpc/json.ts';
import { decodeKdfResult } from '#lib/rpc/kdf/codec.ts';
import { isKdfMethod, kdfDefinition, type KdfDialect } from '#lib/rpc/kdf/index.ts';
import { createCallBudget } from '#lib/server/access/calls/budget.ts';
import type { Devnet } from '../support/devnet.ts';
import { gatewayBefore } from '../support/daemons.ts';
import { nodeConfig, nodesBefore } from '../support/nodes.ts';
import { byToken, permissiveCalls } from '../support/permissive.ts';
import { serveRpcApi } from '../support/rpcApiServer.ts';
import { canonical } from './paths.ts';
import { openOwnBudget } from '#lib/server/platform/rate-limits/budgets.ts';
import { SHAPE } from '#lib/server/rpc-proxy/http/bodyMeter.ts';

const NODE = 'trading-node';

export interface KdfRefused {
	/** Null in the older protocol. */
	type: string | null;
	text: string;
	/** Undefined if the error has none. */
	data: JsonValue | undefined;
}

/** One call and its outcome. */
export interface KdfObservation {
	method: string;
	/** As sent to the RPC API, in the spelling of the interface document. */
	params: Members;
	/** HTTP status. */
	status: number;
	/** Null when it was refused. */
	result: JsonValue;
	refused: KdfRefused | null;
}

export type Members = { readonly [name: string]: JsonValue };
/** Parameters as written in a tour, with JavaScript numbers. */
export type Given = { readonly [name: string]: unknown };

export interface KdfObserver {
	readonly net: Devnet;
	readonly seen: readonly KdfObservation[];
	/** Rows that several calls together have shown. */
	readonly shown: ReadonlySet<string>;
	call(method: string, params: Given): Promise<KdfObservation>;
	/**
	 * Makes a call that must succeed.
	 * @throws Error with the actual response
	 */
	done(method: string, params: Given): Promise<JsonValue>;
	/** Makes a call that must be refused, with this error type or text if one is given. */
	refused(method: string, params: Given, by?: string | RegExp): Promise<KdfRefused>;
	/**
	 * Records that a row was shown.
	 * @throws Error when `holds` is false
	 */
	show(row: string, holds: boolean): void;
	close(): Promise<void>;
}

/** Converts numbers to their JSON form, as in a received body. */
const onWire = (params: Given): Members => parseJson(stringifyJson(params)) as Members;

function readAnswer(text: string, status: number): Pick<KdfObservation, 'result' | 'refused'> {
	const answer = parseJson(text);
	if (!isJsonObject(answer)) throw new Error(`the RPC API answers no object: ${text}`);
	const { error, error_type: type, error_data: data, result } = answer;
	if (typeof error === 'string') {
		const named = typeof type === 'string' ? type : null;
		return { result: null, refused: { type: named, text: error, data } };
	}
	if (status !== 200) throw new Error(`the RPC API answers ${status} without an error: ${text}`);
	return { result: Object.hasOwn(answer, 'mmrpc') ? (result ?? null) : answer, refused: null };
}

/** Puts the RPC API in front of the network's node. The node's dialect is detected as always. */
export async function kdfObserver(net: Devnet, dialect: KdfDialect): Promise<KdfObserver> {
	const daemons = gatewayBefore();
	const nodes = nodesBefore(nodeConfig({ ...net.node, id: NODE }));
	const server = await serveRpcApi({
		...permissiveCalls(daemons),
		nodes,
		budget: createCallBudget(openOwnBudget, { callsPer10s: 1_000_000 }),
		limits: {
			body: { ...SHAPE, bytes: 100_000, hexBytes: 100_000, calls: 5 }
		},
		identify: () => Promise.resolve(byToken({ id: 'tour', name: 'tour', role: 'admin' }))
	});
	const seen: KdfObservation[] = [];
	const known = new Set<string>();
	const shown = new Set<string>();

	async function call(method: string, given: Given): Promise<KdfObservation> {
		if (!isKdfMethod(method)) throw new Error(`the registry has no ${method}`);
		const params = onWire(given);
		const { envelope } = kdfDefinition(method);
		const body =
			envelope === 'v2'
				? { mmrpc: '2.0', method, params, id: new JsonNumber('7') }
				: { method, ...params };
		const response = await fetch(`${server.url}/${NODE}`, {
			method: 'POST',
			headers: { authorization: 'Bearer tour' },
			body: stringifyJson(body)
		});
		const { status } = response;
		const one = { method, params, status, ...readAnswer(await response.text(), status) };
		// Every result must have the strict form of the registry.
		if (one.refused === null) decodeKdfResult(method, one.result, dialect);
		// A task's status is requested repeatedly: equal responses count once.
		const key = canonical({ method, params, result: one.result });
		if (one.refused !== null || !known.has(key)) seen.push(one);
		known.add(key);
		return one;
	}

	return {
		net,
		seen,
		shown,
		call,
		async done(method, params) {
			const { result, refused } = await call(method, params);
			if (refused !== null) {
				throw new Error(`${method} was refused: ${refused.type ?? ''} ${refused.text}`);
			}
			return result;
		},
		async refused(method, params, by) {
			const { refused } = await call(method, params);
			if (refused === null) throw new Error(`${method} was not refused`);
			const fits =
				by === undefined || (typeof by === 'string' ? refused.type === by : by.test(refused.text));
			if (!fits) {
				throw new Error(
					`${method} was refused by ${refused.type ?? 'text'}, not by ${String(by)}: ${refused.text}`
				);
			}
			return refused;
		},
		show(row, holds) {
			if (!holds) throw new Error(`this was not shown: ${row}`);
			shown.add(row);
		},
		async close() {
			await server.stop();
			await nodes.close();
			await daemons.close();
		}
	};
}
