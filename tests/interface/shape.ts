/** Looks for the fields that a document names, in schemas and in responses. */
import type { z } from 'zod';
import { isJsonObject, type JsonValue } from '#lib/rpc/json.ts';

/** The document writes `notarizationHash` and `sourceSymbol`, the daemon `notarization_hash` and `SourceSymbol`. */
const normal = (name: string): string => name.replaceAll('_', '').toLowerCase();

const partsOf = (path: string): string[] => path.split('.').map(normal);

interface Definition {
	type: string;
	shape?: Record<string, z.ZodType>;
	element?: z.ZodType;
	innerType?: z.ZodType;
	valueType?: z.ZodType;
	options?: readonly z.ZodType[];
	in?: z.ZodType;
	getter?: () => z.ZodType;
}

/** The schemas inside of an array, a map or a wrapper, and alternatives. */
function innerOf(schema: z.ZodType): z.ZodType[] {
	const {
		element,
		innerType,
		valueType,
		in: input,
		getter,
		options
	} = schema.def as unknown as Definition;
	const inner = [element, innerType, valueType, input, getter?.(), ...(options ?? [])];
	return inner.filter((one) => one !== undefined);
}

function schemaHas(schema: z.ZodType, parts: readonly string[]): boolean {
	const [first, ...rest] = parts;
	if (first === undefined) return true;
	const { shape } = schema.def as unknown as Definition;
	if (shape) {
		const members = Object.entries(shape);
		if (members.some(([name, member]) => normal(name) === first && schemaHas(member, rest)))
			return true;
		// An object with a list for each group of chains: the groups are not a level of the path.
		const groups = members.every(
			([, member]) => (member.def as unknown as Definition).type === 'array'
		);
		return groups && members.some(([, member]) => schemaHas(member, parts));
	}
	// Arrays, free keys of maps and wrappers are not a level of the path.
	return innerOf(schema).some((one) => schemaHas(one, parts));
}

/** Whether a schema has a member at the path; indexes and free keys are left out of the path. */
export function knowsField(schema: z.ZodType, path: string): boolean {
	return schemaHas(schema, partsOf(path));
}

/** A member in a schema. */
interface Member {
	schema: z.ZodType;
	/** It may be left out. */
	optional: boolean;
}

/**
 * The members at an exact path, one for each alternative that has it; indexes and free keys are left out of the
 * path.
 */
export function memberOf(schema: z.ZodType, path: string): Member[] {
	const find = (one: z.ZodType, parts: readonly string[], optional: boolean): Member[] => {
		const [first, ...rest] = parts;
		if (first === undefined) {
			const { type } = one.def as unknown as Definition;
			return [{ schema: one, optional: optional || type === 'optional' }];
		}
		const { shape, options } = one.def as unknown as Definition;
		if (shape) {
			const member = Object.hasOwn(shape, first) ? shape[first] : undefined;
			return member === undefined ? [] : find(member, rest, false);
		}
		const found = innerOf(one).flatMap((next) => find(next, parts, optional));
		// Only one of several alternatives has it, so it may be missing.
		const others = (options?.length ?? 0) > 0;
		return others ? found.map((member) => ({ ...member, optional: true })) : found;
	};
	return find(schema, path.split('.'), false);
}

/** Observations of a field. */
interface Seen {
	present: boolean;
	absent: boolean;
}

function look(value: JsonValue, parts: readonly string[], seen: Seen): void {
	const [first, ...rest] = parts;
	if (first === undefined) return;
	if (Array.isArray(value)) {
		for (const one of value as readonly JsonValue[]) look(one, parts, seen);
	} else if (isJsonObject(value)) {
		const member = Object.entries(value).find(([name]) => normal(name) === first);
		if (member === undefined) {
			const groups = Object.values(value);
			// An object with free keys, each with a list: its keys are not a level of the path.
			if (groups.length > 0 && groups.every((one) => Array.isArray(one))) {
				for (const one of groups) look(one, parts, seen);
			} else if (rest.length === 0) seen.absent = true;
		} else if (rest.length === 0) seen.present = true;
		else look(member[1], rest, seen);
	}
}

/** Whether a result has the field, and whether an object lacks it; both can be true in a list. */
export function seeField(result: JsonValue, path: string): Seen {
	const seen = { present: false, absent: false };
	look(result, partsOf(path), seen);
	return seen;
}
