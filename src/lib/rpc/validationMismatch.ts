/** Explains why a response does not match the schema of its method; names the place, never the value. */
import type { z } from 'zod';
import { isJsonObject, type JsonValue } from './json.ts';
import { FIRST_FAULT, partsOf } from './schemaParts.ts';

type Path = readonly PropertyKey[];

interface Fault {
	path: Path;
	message: string;
	/** Whether the fault is a missing member. */
	isMissing: boolean;
	/** Distance of the value from the schema that this fault alone accounts for. */
	distance: number;
}

/** Limits names and messages, which may contain upstream data of any length. */
const MOST_LETTERS = 200;

const isMissing = (message: string): boolean => message.endsWith('received undefined');

/** Limits a text that may contain names of an upstream or a caller. */
export const bounded = (text: string): string =>
	text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS)}…` : text;

/** Formats where and why a value does not match, without the value. */
export function mismatchPlace(path: Path, message: string): string {
	const place = path.map(String).join('.') || 'result';
	if (isMissing(message)) return `${bounded(place)} is missing`;
	return `${bounded(place)}: ${bounded(message)}`;
}

/** Maximum number of values inspected to find the right place. */
const MOST_VALUES = 2_000;

/** Distance of a value of the wrong JSON type. */
const OTHER_KIND = 1_000;

const issuesOf = (schema: z.ZodType, wire: unknown) =>
	schema.safeParse(wire, FIRST_FAULT).error?.issues ?? [];

/**
 * Walks schema and response together. For a union zod reports the option whose only issue is unknown members,
 * and so names the members next to the missing one instead of the missing one.
 */
class Search {
	#left = MOST_VALUES;

	/** Returns the faults of a value; for a union those of the closest option. */
	faults(schema: z.ZodType, wire: JsonValue, path: Path = []): Fault[] {
		this.#left -= 1;
		if (this.#left < 0) return [];
		const parts = partsOf(schema);
		switch (parts.type) {
			case 'object':
				return isJsonObject(wire)
					? this.#object(schema, parts.shape!, wire, path)
					: this.#itself(schema, wire, path);
			case 'array':
				return Array.isArray(wire)
					? this.#first(
							wire.map((one: JsonValue, at) => [parts.element!, one, at]),
							path
						)
					: this.#itself(schema, wire, path);
			case 'record':
				return isJsonObject(wire)
					? this.#record(schema, parts.valueType!, wire, path)
					: this.#itself(schema, wire, path);
			case 'optional':
				return this.faults(parts.innerType!, wire, path);
			case 'union':
				return this.#nearest(schema, parts.options!, wire, path);
			case 'pipe': {
				const inside =
					partsOf(parts.in!).type === 'object' ? this.faults(parts.in!, wire, path) : [];
				return inside.length > 0 ? inside : this.#itself(schema, wire, path);
			}
			default:
				return this.#itself(schema, wire, path);
		}
	}

	/** Returns the issues of zod for the value as a whole. */
	#itself(schema: z.ZodType, wire: JsonValue, path: Path): Fault[] {
		return issuesOf(schema, wire).map((issue) => ({
			path: [...path, ...issue.path],
			message: issue.message,
			isMissing: false,
			distance: OTHER_KIND
		}));
	}

	#object(
		schema: z.ZodType,
		shape: Record<string, z.ZodType>,
		wire: Readonly<Record<string, JsonValue>>,
		path: Path
	): Fault[] {
		const has = (name: string) => Object.hasOwn(wire, name);
		const names = Object.keys(shape);
		const missing = names.filter((name) => !has(name) && partsOf(shape[name]!).type !== 'optional');
		const members = names.filter(has).map((name) => [shape[name]!, wire[name]!, name] as const);
		const unknown = Object.keys(wire)
			.slice(0, MOST_VALUES)
			.filter((name) => !Object.hasOwn(shape, name));
		const found: Fault[] = [
			...missing.map((name) => ({
				path: [...path, name],
				message: 'received undefined',
				isMissing: true,
				distance: 1
			})),
			...members.flatMap(([inner, value, name]) =>
				this.faults(inner, value, [...path, name]).map((fault) => ({
					...fault,
					distance: fault.isMissing ? 1 : 2
				}))
			),
			...unknown.map((name) => ({
				path,
				message: `Unrecognized key: "${name}"`,
				isMissing: false,
				distance: 1
			}))
		];
		return found.length > 0 ? found : this.#itself(schema, wire, path);
	}

	#record(
		schema: z.ZodType,
		valueType: z.ZodType,
		wire: Readonly<Record<string, JsonValue>>,
		path: Path
	): Fault[] {
		const found = this.#first(
			Object.keys(wire)
				.slice(0, MOST_VALUES)
				.map((name) => [valueType, wire[name]!, name]),
			path
		);
		return found.length > 0 ? found : this.#itself(schema, wire, path);
	}

	/**
	 * Returns the faults of the first item that lacks a member, otherwise of the first item with any fault.
	 */
	#first(many: readonly (readonly [z.ZodType, JsonValue, PropertyKey])[], path: Path): Fault[] {
		let first: Fault[] = [];
		for (const [schema, one, name] of many) {
			if (this.#left < 0) break;
			const found = this.faults(schema, one, [...path, name]);
			if (found.some((fault) => fault.isMissing)) return found;
			if (first.length === 0) first = found;
		}
		return first;
	}

	/** Returns the faults of the closest option; of two equally close ones, of that which lacks a member. */
	#nearest(schema: z.ZodType, options: readonly z.ZodType[], wire: JsonValue, path: Path): Fault[] {
		if (issuesOf(schema, wire).length === 0) return [];
		const far = (faults: readonly Fault[]): number =>
			faults.reduce((sum, { distance }) => sum + distance, 0) -
			(faults.some((fault) => fault.isMissing) ? 0.5 : 0);
		return options
			.map((option) => this.faults(option, wire, path))
			.filter((faults) => faults.length > 0)
			.reduce<Fault[]>((best, one) => (best.length === 0 || far(one) < far(best) ? one : best), []);
	}
}

/** Explains why a response does not match a schema; a missing member takes precedence. */
export function mismatchWords(schema: z.ZodType, wire: JsonValue): string {
	const found = new Search().faults(schema, wire);
	const fault = found.find((one) => one.isMissing) ?? found[0] ?? issuesOf(schema, wire)[0];
	return fault === undefined ? 'result: does not fit' : mismatchPlace(fault.path, fault.message);
}
