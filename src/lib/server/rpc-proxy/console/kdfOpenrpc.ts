/**
 * The OpenRPC description of the RPC API to trading nodes: every method of the registry in both envelopes, with
 * parameters, result, error types, examples and required access.
 */
import { kdfParamMessage } from '#lib/messages/methods/kdfParams.ts';
import { kdfSummary } from '#lib/messages/methods/kdfSummaries.ts';
import { openRpc } from '#lib/messages/openRpc.ts';
import { isJsonObject, stringifyJson } from '#lib/rpc/json.ts';
import { encodeKdfParams } from '#lib/rpc/kdf/codec.ts';
import { kdfErrorTypes } from '#lib/rpc/kdf/errorTypes.ts';
import { kdfDefinition, nodeExamples, kdfMethods, type KdfMethod } from '#lib/rpc/kdf/index.ts';
import { accessByRole } from '../../access/policy/permissions.ts';
import { ROLES } from '../../access/policy/roles.ts';
import { OPENRPC, wireSchema, type Schema } from './openrpc.ts';

function paramsOf(method: KdfMethod, schema: Schema): object[] {
	const { properties = {}, required = [] } = schema as {
		properties?: Readonly<Record<string, Schema>>;
		required?: readonly string[];
	};
	const named = Object.entries(properties).map(([name, one]) => ({
		name,
		description: kdfParamMessage(method, name),
		required: required.includes(name),
		schema: one
	}));
	// OpenRPC requires required parameters first.
	return named.toSorted((a, b) => Number(b.required) - Number(a.required));
}

/** Returns HTTP status and error type of version 2 errors; legacy errors have status 500 and a text. */
function errorsOf(key: KdfMethod): object[] {
	const { envelope, name } = kdfDefinition(key);
	if (envelope === 'legacy') return [{ code: 500, message: openRpc.nodes.legacyError }];
	const types = new Map(
		kdfErrorTypes
			.filter(({ of }) => of === undefined || of.test(name))
			.toReversed()
			.map(({ type, status }) => [type, status[0] ?? 500])
	);
	return [...types]
		.toSorted(([a], [b]) => (a < b ? -1 : 1))
		.map(([message, code]) => ({ code, message }));
}

function examplesOf(key: KdfMethod): object[] {
	return nodeExamples(key).map((example, index) => {
		const params = encodeKdfParams(key, example) ?? {};
		const members = isJsonObject(params) ? Object.entries(params) : [];
		return {
			name: `${key} ${index + 1}`,
			params: members.map(([name, value]) => ({ name, value }))
		};
	});
}

function methodObject(key: KdfMethod): object {
	const { name, envelope, access, retry, params, result } = kdfDefinition(key);
	return {
		name: key,
		summary: kdfSummary(key),
		description: openRpc.nodes.envelopes[envelope],
		paramStructure: 'by-name',
		params: access === 'never' ? [] : paramsOf(key, wireSchema(params.kdf)),
		result: { name: 'result', schema: access === 'never' ? {} : wireSchema(result.kdf) },
		errors: errorsOf(key),
		examples: access === 'never' ? [] : examplesOf(key),
		'x-method': name,
		'x-envelope': envelope,
		'x-access': {
			class: access,
			roles: ROLES.filter((role) => accessByRole[role].includes(access))
		},
		'x-repeatable': retry
	};
}

let described: readonly object[] | null = null;

/** Cached: they depend on the registry alone, and take a tenth of a second to generate. */
const methodObjects = (): readonly object[] =>
	(described ??= (Object.keys(kdfMethods) as KdfMethod[]).map(methodObject));

/**
 * Returns the document as JSON text.
 * @param origin KOMODECK_ORIGIN; without it server URLs are relative to the document
 * @param nodes ids of the configured trading nodes
 */
export function kdfOpenRpcText(origin: string | null, nodes: readonly string[]): string {
	return stringifyJson({
		openrpc: OPENRPC,
		info: {
			title: openRpc.nodes.title,
			version: '1.0.0',
			description: `${openRpc.nodes.description} ${openRpc.idempotency}`,
			license: { name: 'MIT' }
		},
		servers: nodes.map((id) => ({
			name: id,
			url: `${origin ?? ''}/api/rpc/${encodeURIComponent(id)}`
		})),
		methods: methodObjects()
	});
}
