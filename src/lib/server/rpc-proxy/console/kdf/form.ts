/** Parses the form of a trading node's method into one JSON object, or reports errors by field. */
import type { ConsoleProblem } from '#lib/messages/errors/console.ts';
import { isJsonObject, readableJson, JsonNumber, stringifyJson } from '#lib/rpc/json.ts';
import type { JsonValue } from '#lib/rpc/json.ts';
import { decodeKdfParams } from '#lib/rpc/kdf/codec.ts';
import type { KdfDialect, KdfMethod } from '#lib/rpc/kdf/index.ts';
import { isSecretMember, kdfParamsOf, type KdfParam } from '#lib/rpc/kdf/parameters.ts';
import { AppError, isAppError } from '../../../platform/errors/appError.ts';
import { typedJson } from '../typedJson.ts';
import { WRITTEN, type FormErrors, type Typed } from '../form.ts';
import { kdfFieldName } from './catalogue.ts';
import { isRpcError } from '#lib/rpc/rpcError.ts';

type Members = { readonly [name: string]: JsonValue };

type KdfFormRead = { params: Members } | { errors: FormErrors };

/** Maximum length of written parameters, in characters. */
const MAX_WRITTEN = 1_000_000;

/** Parameters whose text is sent exactly as typed. */
const EXACT: ReadonlySet<string> = new Set(['message']);

const json = (text: string): JsonValue => typedJson(text, { maxDepth: 32 });

/** @throws {AppError} `console` */
function valueOf({ name, kind, words }: KdfParam, typed: string): JsonValue {
	const text = typed.trim();
	switch (kind) {
		case 'text':
			// In a message every blank counts; other texts often get blanks when they are copied.
			return EXACT.has(name) ? typed.replaceAll('\r\n', '\n') : text;
		case 'whole':
			if (!/^(?:0|[1-9]\d{0,14})$/.test(text)) throw new AppError('console.not-a-whole-number');
			return new JsonNumber(text);
		case 'bool':
			if (text !== 'true' && text !== 'false') throw new AppError('console.not-a-boolean');
			return text === 'true';
		case 'choice':
			if (!words.includes(text)) throw new AppError('console.not-a-choice');
			return text;
		case 'json':
			return json(text);
	}
}

/** Returns the registry's objection to the parameters, at the field of the member concerned; null for none. */
function mismatches(method: KdfMethod, params: Members, way: string): FormErrors | null {
	try {
		decodeKdfParams(method, params);
		return null;
	} catch (error) {
		if (!isRpcError(error, 'kdf-params.invalid')) throw error;
		const { place, fault } = error.params;
		const [top = '', ...deeper] = place.split('.');
		const field = way === WRITTEN || top === '' ? WRITTEN : `p.${top}`;
		const inside = way === WRITTEN ? place : deeper.join('.');
		return { [field]: { code: 'console.mismatch', params: { place: inside, fault } } };
	}
}

function readFields(method: KdfMethod, dialect: KdfDialect, typed: Typed): KdfFormRead {
	const errors: Record<string, ConsoleProblem> = {};
	const members: [string, JsonValue][] = [];
	for (const param of kdfParamsOf(method, dialect)) {
		const field = kdfFieldName(param);
		const text = typed[field] ?? '';
		if (text.trim() === '') {
			if (param.required) errors[field] = { code: 'console.required', params: {} };
			continue;
		}
		try {
			members.push([param.name, valueOf(param, text)]);
		} catch (error) {
			if (!isAppError(error, 'console')) throw error;
			errors[field] = error.coded;
		}
	}
	return Object.keys(errors).length > 0 ? { errors } : { params: Object.fromEntries(members) };
}

function readWritten(text: string): KdfFormRead {
	const trimmed = text.trim();
	const refused = (problem: ConsoleProblem): KdfFormRead => ({ errors: { [WRITTEN]: problem } });
	if (trimmed.length > MAX_WRITTEN) return refused({ code: 'console.too-long', params: {} });
	if (trimmed === '') return { params: {} };
	try {
		const read = json(trimmed);
		return isJsonObject(read)
			? { params: read }
			: refused({ code: 'console.not-an-object', params: {} });
	} catch (error) {
		if (!isAppError(error, 'console')) throw error;
		return refused(error.coded);
	}
}

/** Returns the parameters of a call, or errors by field name. */
export function readKdfForm(
	method: KdfMethod,
	dialect: KdfDialect,
	way: string,
	typed: Typed
): KdfFormRead {
	const read =
		way === WRITTEN ? readWritten(typed[WRITTEN] ?? '') : readFields(method, dialect, typed);
	if ('errors' in read) return read;
	const errors = mismatches(method, read.params, way);
	return errors === null ? read : { errors };
}

/** Fills the fields from the JSON text of the parameters; null when they do not fit. */
export function kdfTypedFrom(
	method: KdfMethod,
	dialect: KdfDialect,
	paramsText: string
): Typed | null {
	const wire = readableJson(paramsText);
	if (!isJsonObject(wire)) return null;
	const params = new Map(kdfParamsOf(method, dialect).map((param) => [param.name, param]));
	const typed: Record<string, string> = {};
	for (const [name, value] of Object.entries(wire)) {
		const param = params.get(name);
		if (param === undefined) return null;
		if (param.kind !== 'json' && typeof value === 'object' && !(value instanceof JsonNumber)) {
			return null;
		}
		typed[kdfFieldName(param)] =
			param.kind === 'json' || typeof value !== 'string' ? stringifyJson(value) : value;
	}
	return typed;
}

/** Replaces secrets in displayed parameters. */
const MASK = '(not shown)';

/** Returns the parameters with possible secrets masked, at any depth. */
export function kdfWithoutSecrets(value: JsonValue): JsonValue {
	if (Array.isArray(value)) return (value as readonly JsonValue[]).map(kdfWithoutSecrets);
	if (!isJsonObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, inner]) => [
			name,
			isSecretMember(name) ? MASK : kdfWithoutSecrets(inner)
		])
	);
}

/** Returns every text inside members that may hold a secret. */
export function secretsIn(value: JsonValue, inside = false): string[] {
	if (typeof value === 'string') return inside && value !== '' ? [value] : [];
	if (Array.isArray(value)) {
		return (value as readonly JsonValue[]).flatMap((one) => secretsIn(one, inside));
	}
	if (!isJsonObject(value)) return [];
	return Object.entries(value).flatMap(([name, inner]) =>
		name === 'action_type' ? [] : secretsIn(inner, inside || isSecretMember(name))
	);
}
