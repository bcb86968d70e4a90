/**
 * The OpenRPC description of the RPC API to trading nodes: every method of the registry in both envelopes, with
 * parameters, result, error types, examples and required access.
 */
import { kdfParamMessage } from '#lib/messages/methods/kdfParams.ts';
import { kdfSummary } from '#lib/messages/methods/kdfSummaries.ts';
import { openRpc } from '#lib/messages/openRpc.ts';
import { isJsonObject } from '#lib/rpc/json.ts';
import { encodeKdfParams } from '#lib/rpc/kdf/codec.ts';
import { kdfErrorTypes } from '#lib/rpc/kdf/errorTypes.ts';
import { kdfDefinition, nodeExamples, kdfMethods, type KdfMethod } from '#lib/rpc/kdf/index.ts';
import { accessOf, documentText, wireSchema, type Schema } from './document.ts';

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
		'x-access': accessOf(access),
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
export const kdfOpenRpcText = (origin: string | null, nodes: readonly string[]): string =>
	documentText(openRpc.nodes, origin, nodes, methodObjects());
