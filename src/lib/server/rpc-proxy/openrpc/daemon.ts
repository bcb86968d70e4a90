/**
 * The OpenRPC description of the RPC API: every method of the registry with its parameters, result, errors and
 * examples, and who may call it.
 */
import { LRUCache } from 'lru-cache';
import { daemonParamMessage } from '#lib/messages/methods/daemonParams.ts';
import { daemonSummaries } from '#lib/messages/methods/daemonSummaries.ts';
import { familyTitles } from '#lib/messages/methods/families.ts';
import { openRpc } from '#lib/messages/openRpc.ts';
import { encodeParams } from '#lib/rpc/codec.ts';
import { methodExamples } from '#lib/rpc/daemon/examples.ts';
import { methodFamilies } from '#lib/rpc/daemon/families.ts';
import { daemonExamples, type DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { paramFacts } from '#lib/rpc/daemon/parameters.ts';
import { DAEMON_ERROR_CODES } from '#lib/messages/daemonErrorCodes.ts';
import {
	RPC_DESERIALIZATION_ERROR,
	RPC_INTERNAL_ERROR,
	RPC_INVALID_ADDRESS_OR_KEY,
	RPC_INVALID_PARAMETER,
	RPC_IN_WARMUP,
	RPC_METHOD_NOT_FOUND,
	RPC_MISC_ERROR,
	RPC_TYPE_ERROR,
	RPC_VERIFY_ALREADY_IN_CHAIN,
	RPC_VERIFY_ERROR,
	RPC_VERIFY_REJECTED,
	RPC_WALLET_ERROR,
	RPC_WALLET_INSUFFICIENT_FUNDS,
	RPC_WALLET_UNLOCK_NEEDED,
	type DaemonErrorNumber
} from '#lib/rpc/errorCodes.ts';
import { parseJson, type JsonValue } from '#lib/rpc/json.ts';
import { changesNothing, type Method } from '#lib/rpc/method.ts';
import { otherForm, paramSchema } from '#lib/rpc/paramSchema.ts';
import type { Param } from '#lib/rpc/types.ts';
import { contentTag } from '../../platform/http/contentTag.ts';
import { BY_POLICY } from '../daemon/refusals.ts';
import { definitionOf } from '../console/catalogue.ts';
import { accessOf, documentText, wireSchema, type Schema } from './document.ts';

function paramDescriptor(method: DaemonMethod, param: Param): object {
	const facts = paramFacts(method, param.name);
	const other = otherForm(param);
	const own: Schema = param.kind === 'json' ? {} : wireSchema(paramSchema(param, method));
	const standard: Schema =
		facts?.default === undefined ? {} : { default: JSON.parse(facts.default) as unknown };
	return {
		name: param.name,
		description: daemonParamMessage(method, param.name),
		required: !param.optional,
		schema: { ...(other === null ? own : { anyOf: [own, wireSchema(other)] }), ...standard },
		...(param.repeats ? { 'x-repeats': true } : {})
	};
}

/** Error codes that every call may return. */
const ALWAYS: readonly DaemonErrorNumber[] = [
	RPC_MISC_ERROR,
	RPC_IN_WARMUP,
	RPC_METHOD_NOT_FOUND,
	RPC_INTERNAL_ERROR
];

/** Those of every method with parameters. */
const OF_PARAMETERS: readonly DaemonErrorNumber[] = [
	RPC_TYPE_ERROR,
	RPC_INVALID_ADDRESS_OR_KEY,
	RPC_INVALID_PARAMETER
];

/** Those of every method that uses the wallet's keys. */
const OF_WALLET: readonly DaemonErrorNumber[] = [
	RPC_WALLET_ERROR,
	RPC_WALLET_INSUFFICIENT_FUNDS,
	RPC_WALLET_UNLOCK_NEEDED
];

/** Those of `sendrawtransaction`. */
const OF_SENDING: readonly DaemonErrorNumber[] = [
	RPC_VERIFY_ERROR,
	RPC_VERIFY_REJECTED,
	RPC_VERIFY_ALREADY_IN_CHAIN
];

function errorsOf(name: DaemonMethod, { access, params }: Method): object[] {
	const codes = new Set(ALWAYS);
	if (params.length > 0) for (const code of OF_PARAMETERS) codes.add(code);
	if (access === 'build' || access === 'broadcast' || access === 'notary' || access === 'sign') {
		for (const code of OF_WALLET) codes.add(code);
	}
	if (name.endsWith('rawtransaction')) codes.add(RPC_DESERIALIZATION_ERROR);
	if (name === 'sendrawtransaction') for (const code of OF_SENDING) codes.add(code);
	const daemons = [...codes]
		.toSorted((a, b) => b - a)
		.map((code) => ({ code, message: DAEMON_ERROR_CODES[code] }));
	// Komodeck's own code is distinct from the daemon's, because retrying does not help.
	const isJudged = access !== 'never' && !changesNothing(access);
	return isJudged ? [...daemons, { code: BY_POLICY, message: openRpc.byPolicy }] : daemons;
}

function pairing(
	name: string,
	params: readonly Param[],
	values: readonly JsonValue[],
	result?: JsonValue
): object {
	return {
		name,
		params: values.map((value, index) => ({
			name: params[Math.min(index, params.length - 1)]?.name ?? 'value',
			value
		})),
		...(result === undefined ? {} : { result: { name: 'result', value: result } })
	};
}

function examplesOf(name: DaemonMethod, { params }: Method): object[] {
	const recorded = methodExamples[name];
	const first =
		recorded === undefined
			? []
			: [
					pairing(
						openRpc.recorded(name),
						params,
						parseJson(recorded.params) as readonly JsonValue[],
						recorded.result === undefined ? undefined : parseJson(recorded.result)
					)
				];
	const others = daemonExamples(name).map((values, index) =>
		pairing(`${name} ${index + 1}`, params, encodeParams(name, values))
	);
	return [...first, ...others];
}

function methodObject(name: DaemonMethod, family: string): object {
	const definition = definitionOf(name);
	const { access, params, result, seedResult, fails, retry } = definition;
	const forms = [result, ...(seedResult ? [seedResult] : [])].map(wireSchema);
	return {
		name,
		summary: daemonSummaries[name],
		description: openRpc.failures(fails),
		tags: [{ name: family }],
		paramStructure: 'by-position',
		params: params.map((param) => paramDescriptor(name, param)),
		result: { name: 'result', schema: forms.length === 1 ? forms[0] : { anyOf: forms } },
		errors: errorsOf(name, definition),
		examples: examplesOf(name, definition),
		'x-access': accessOf(access),
		'x-repeatable': retry
	};
}

interface OpenRpcText {
	text: string;
	/** Changes with the text. */
	etag: string;
}

/** Limited, because the set of daemons changes at run time. */
const kept = new LRUCache<string, OpenRpcText>({ max: 8 });

/**
 * Returns the document as JSON text.
 * @param origin KOMODECK_ORIGIN; without it server URLs are relative to the document
 */
export function openRpcText(origin: string | null, daemons: readonly string[]): OpenRpcText {
	const key = JSON.stringify([origin, daemons]);
	const known = kept.get(key);
	if (known !== undefined) return known;
	const methods = methodFamilies.flatMap((family) =>
		family.methods.map((name) => methodObject(name, familyTitles[family.id]))
	);
	const text = documentText(openRpc.daemons, origin, daemons, methods);
	const made = { text, etag: contentTag(text) };
	kept.set(key, made);
	return made;
}
