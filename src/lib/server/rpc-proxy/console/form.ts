/** Parses the form of a method into the JSON text of each parameter, or reports errors by field. */
import type { ConsoleProblem } from '#lib/messages/errors/console.ts';
import type { DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { paramFacts } from '#lib/rpc/daemon/parameters.ts';
import {
	isJsonObject,
	JsonNumber,
	parseJson,
	readableJson,
	stringifyJson,
	type JsonValue
} from '#lib/rpc/json.ts';
import { paramFault } from '#lib/rpc/paramSchema.ts';
import type { Param } from '#lib/rpc/types.ts';
import { rawElements } from '../../chains/upstream/rawJson.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import { definitionOf, fieldName } from './catalogue.ts';
import { typedJson } from './typedJson.ts';
import { JSON_ERRORS, isRpcError } from '#lib/rpc/rpcError.ts';

/** Typed values, by field name. */
export type Typed = Readonly<Record<string, string>>;

/** Name of the field with all parameters as one JSON array. */
export const WRITTEN = 'written';

/** Errors, by field name. */
export type FormErrors = Readonly<Record<string, ConsoleProblem>>;

type ReadForm =
	/** JSON text of each parameter. */
	{ params: string[] } | { errors: FormErrors };

/** Errors of parameters that are written as JSON. */
type WrittenProblem = Extract<ConsoleProblem, { params: Readonly<Record<string, never>> }>['code'];

/** Maximum length of written parameters, in characters. */
const MAX_WRITTEN = 4_000_000;

function checked(param: Param, method: DaemonMethod, native: unknown, wire: string): string {
	const fault = paramFault(param, method, native);
	if (fault !== null) throw new AppError('console.parameter-invalid', { ...fault });
	return wire;
}

/** @throws {AppError} `console` for invalid JSON */
function readJson(text: string): string {
	typedJson(text);
	return text;
}

/** Parses one typed value. @throws {AppError} `console` */
function readValue(param: Param, method: DaemonMethod, typed: string): string {
	const facts = paramFacts(method, param.name);
	const text = typed.trim();
	switch (param.kind) {
		case 'string': {
			// Copied hex often contains line breaks and spaces, which are removed; free text is kept exactly.
			const format = facts?.format;
			const value =
				format === undefined ? typed : format === 'hex' ? typed.replace(/\s+/g, '') : text;
			return checked(param, method, value, JSON.stringify(value));
		}
		case 'numeric':
			return checked(param, method, text, JSON.stringify(text));
		case 'integer':
		case 'level':
			if (!/^-?(?:0|[1-9]\d{0,14})$/.test(text)) throw new AppError('console.not-a-whole-number');
			return checked(param, method, Number(text), text);
		case 'bool':
			if (text !== 'true' && text !== 'false') throw new AppError('console.not-a-boolean');
			return text;
		case 'json': {
			// People often enter a bare address without the quotes that JSON requires.
			const bare = param.name === 'addresses' && /^[1-9A-HJ-NP-Za-km-z]{20,64}$/.test(text);
			return bare ? JSON.stringify(text) : readJson(text);
		}
	}
}

/** Reads the parameters from one field each. Trailing empty fields are left out; earlier ones use the default. */
function readFields(method: DaemonMethod, typed: Typed): ReadForm {
	const { params } = definitionOf(method);
	const errors: Record<string, ConsoleProblem> = {};
	const values: string[] = [];
	const given = params.map((param) => (typed[fieldName(param)] ?? '').trim() !== '');
	const last = given.lastIndexOf(true);
	for (const [index, param] of params.entries()) {
		const field = fieldName(param);
		const text = typed[field] ?? '';
		if (!given[index]) {
			if (!param.optional) errors[field] = { code: 'console.required', params: {} };
			else if (index < last) {
				const left = paramFacts(method, param.name)?.default;
				if (left === undefined) {
					errors[field] = { code: 'console.gap', params: {} };
				} else values.push(left);
			}
			continue;
		}
		try {
			const each = param.repeats ? text.split(/\s+/).filter(Boolean) : [text];
			for (const value of each) values.push(readValue(param, method, value));
		} catch (error) {
			if (!isAppError(error, 'console')) throw error;
			errors[field] = error.coded;
		}
	}
	return Object.keys(errors).length > 0 ? { errors } : { params: values };
}

/** Reads parameters written as a JSON array. Their types are left to the daemon. */
export function readWritten(text: string): ReadForm {
	const refused = (code: WrittenProblem): ReadForm => ({
		errors: { [WRITTEN]: { code, params: {} } }
	});
	const trimmed = text.trim();
	if (trimmed.length > MAX_WRITTEN) return refused('console.too-long');
	if (trimmed === '') return { params: [] };
	try {
		if (!Array.isArray(parseJson(trimmed))) {
			return refused('console.not-an-array');
		}
	} catch (error) {
		if (!isRpcError(error, ...JSON_ERRORS)) throw error;
		return refused(
			error.code === 'json.invalid' ? 'console.array-not-json' : 'console.nested-too-deeply'
		);
	}
	return { params: rawElements(trimmed) };
}

/** @param way `written` for the JSON array, anything else for the fields */
export function readForm(method: DaemonMethod, way: string, typed: Typed): ReadForm {
	return way === WRITTEN ? readWritten(typed[WRITTEN] ?? '') : readFields(method, typed);
}

/** Returns the text that a field shows for a JSON value. */
function typedOf(param: Param, wire: unknown): string {
	if (wire instanceof JsonNumber) return wire.source;
	if (param.kind === 'json' || typeof wire === 'object') return stringifyJson(wire);
	return String(wire);
}

/** Fills the fields from the JSON text of a parameter array; null when it does not fit. */
export function typedFrom(method: DaemonMethod, paramsText: string): Typed | null {
	const { params } = definitionOf(method);
	const wire = readableJson(paramsText);
	if (!Array.isArray(wire)) return null;
	const typed: Record<string, string> = {};
	for (const [index, value] of (wire as readonly JsonValue[]).entries()) {
		const param = params[index] ?? (params.at(-1)?.repeats ? params.at(-1) : undefined);
		if (param === undefined) return null;
		// In a field, null would become the text `null`.
		if (param.kind !== 'json' && (value === null || isJsonObject(value) || Array.isArray(value))) {
			return null;
		}
		const field = fieldName(param);
		const before = typed[field];
		const text = typedOf(param, value);
		typed[field] = before === undefined ? text : `${before}\n${text}`;
	}
	return typed;
}
