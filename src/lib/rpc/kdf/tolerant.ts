/**
 * Reads responses of unknown builds of the trading node: with unknown members, null instead of an absent
 * member, a number with or without quotes, or without source locations; and with members that are missing or
 * that nothing can be made of, which fail when they are used. The registry itself stays strict; each
 * difference is reported, so that it can be counted.
 */
import type { z } from 'zod';
import { isJsonObject, JsonNumber, type JsonValue } from '../json.ts';
import { RpcError } from '../rpcError.ts';
import { readTolerantly, unreadable } from '../tolerant.ts';
import { WANTS_NUMBER } from '../types.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** One change that makes a response match. */
interface Repair {
	path: Path;
	/** Undefined removes the member. */
	value: JsonValue | undefined;
}

/** A response that needs more changes has another form altogether. */
const MOST_REPAIRS = 200;
const MOST_ROUNDS = 40;

/** Members with source locations only; a missing one is set to the empty text. */
const PLACES: ReadonlySet<PropertyKey> = new Set(['error_path', 'error_trace']);

function at(value: JsonValue, path: Path): JsonValue | undefined {
	let here: JsonValue | undefined = value;
	for (const step of path) {
		if (Array.isArray(here)) here = (here as readonly JsonValue[])[Number(step)];
		else if (isJsonObject(here) && Object.hasOwn(here, step)) here = here[String(step)];
		else return undefined;
	}
	return here;
}

function changed(value: JsonValue, path: Path, to: JsonValue | undefined): JsonValue {
	const [step, ...rest] = path;
	if (step === undefined) return to ?? null;
	if (Array.isArray(value)) {
		return (value as readonly JsonValue[]).map((one, index) =>
			index === Number(step) ? changed(one, rest, to) : one
		);
	}
	const members = isJsonObject(value) ? value : {};
	const name = String(step);
	if (rest.length === 0 && to === undefined) {
		return Object.fromEntries(Object.entries(members).filter(([member]) => member !== name));
	}
	return { ...members, [name]: changed(members[name] ?? null, rest, to) };
}

/** Formats a number without exponent: `1.5E-7` is 0.00000015. Null when the text is not a number. */
export function plainDecimal(source: string): string | null {
	const found = /^(-?)(\d+)(?:\.(\d*))?(?:[eE]([-+]?\d{1,3}))?$/.exec(source.trim());
	if (found === null) return null;
	const [, sign = '', whole = '', decimals = '', exponent = '0'] = found;
	const digits = whole + decimals;
	const point = whole.length + Number(exponent);
	const left = point <= 0 ? '0' : digits.slice(0, point).padEnd(point, '0');
	const right = point <= 0 ? '0'.repeat(-point) + digits : digits.slice(point);
	return `${sign}${left.replace(/^0+(?=\d)/, '')}${right === '' ? '' : `.${right}`}`;
}

const INTEGER = /^-?(?:0|[1-9]\d{0,15})$/;

/** Converts a value to the type that the issue expects, if that is lossless; otherwise undefined. */
function respelled(value: JsonValue, issue: Issue): JsonValue | undefined {
	const wantsText =
		issue.code === 'invalid_format' ||
		(issue.code === 'invalid_type' && issue.expected === 'string');
	const wantsNumber = issue.code === 'custom' && issue.params?.['wants'] === WANTS_NUMBER.wants;
	if (wantsText && value instanceof JsonNumber) return plainDecimal(value.source) ?? value.source;
	if (wantsText && typeof value === 'string' && issue.code === 'invalid_format') {
		// Only text with an exponent, sign or point, or a leading zero, can be a reformatted number;
		// addresses, paths and hashes do not parse as numbers.
		const spelled = /[eE.+]|^0\d/.test(value) ? plainDecimal(value.replace(/^\+/, '')) : null;
		return spelled === value ? undefined : (spelled ?? undefined);
	}
	if (wantsNumber) {
		const source = value instanceof JsonNumber ? value.source : value;
		if (typeof source !== 'string') return undefined;
		const spelled = plainDecimal(source)?.replace(/\.0+$/, '');
		if (spelled === undefined || (value instanceof JsonNumber && spelled === source))
			return undefined;
		return INTEGER.test(spelled) || /^-?\d+\.\d+$/.test(spelled)
			? new JsonNumber(spelled)
			: undefined;
	}
	if (issue.code === 'invalid_type' && issue.expected === 'boolean') {
		const word = value instanceof JsonNumber ? value.source : value;
		if (word === 'true' || word === '1') return true;
		if (word === 'false' || word === '0') return false;
	}
	return undefined;
}

/** Returns changes that fix one issue; null when there are none. */
function repairOf(issue: Issue, wire: JsonValue, before: Path): Repair[] | null {
	const path = [...before, ...issue.path];
	if (issue.code === 'unrecognized_keys') {
		return issue.keys.map((key) => ({ path: [...path, key], value: undefined }));
	}
	if (issue.code === 'invalid_union') return unionRepair(issue.errors, wire, path);
	const value = at(wire, path);
	if (value === undefined) {
		const name = path.at(-1) ?? '';
		return PLACES.has(name) ? [{ path, value: '' }] : null;
	}
	// Whether the member may be absent turns out in the next round of parsing.
	if (value === null && path.length > 0) return [{ path, value: undefined }];
	const spelled = respelled(value, issue);
	return spelled === undefined ? null : [{ path, value: spelled }];
}

/**
 * Returns the changes for the option of a union that loses least: deeper changes lose less than shallow ones.
 */
function unionRepair(
	choices: readonly (readonly Issue[])[],
	wire: JsonValue,
	path: Path
): Repair[] | null {
	let best: { repairs: Repair[]; depth: number } | null = null;
	for (const issues of choices) {
		const repairs = repairsOf(issues, wire, path);
		if (repairs === null) continue;
		const depth = Math.min(...repairs.map((repair) => repair.path.length));
		const isBetter =
			best === null ||
			depth > best.depth ||
			(depth === best.depth && repairs.length < best.repairs.length);
		if (isBetter) best = { repairs, depth };
	}
	return best?.repairs ?? null;
}

/** Returns changes that fix all issues; null when one cannot be fixed. */
function repairsOf(issues: readonly Issue[], wire: JsonValue, path: Path): Repair[] | null {
	const all: Repair[] = [];
	for (const issue of issues) {
		const repairs = repairOf(issue, wire, path);
		if (repairs === null) return null;
		all.push(...repairs);
	}
	return all.length === 0 ? null : all;
}

/** Members with amounts, which the node writes as text. */
const AMOUNTS: ReadonlySet<string> = new Set([
	...['spendable', 'unspendable', 'balance', 'unspendable_balance', 'locked_by_swaps', 'amount'],
	...['total_amount', 'spent_by_me', 'received_by_me', 'my_balance_change']
]);

/**
 * Converts amounts to text, with the digits of the source. This must run first: of two union options that
 * differ in one member zod 4 reports only the one without it, so a balance given as numbers would be removed
 * as an unknown member.
 */
function withAmounts(value: JsonValue, places: string[], name = '', path = ''): JsonValue {
	if (value instanceof JsonNumber) {
		const text = AMOUNTS.has(name) ? plainDecimal(value.source) : null;
		if (text !== null) places.push(path);
		return text ?? value;
	}
	const below = (member: string): string => (path === '' ? member : `${path}.${member}`);
	if (Array.isArray(value)) {
		return (value as readonly JsonValue[]).map((one, index) =>
			withAmounts(one, places, '', below(String(index)))
		);
	}
	if (!isJsonObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([member, one]) => [
			member,
			withAmounts(one, places, member, below(member))
		])
	);
}

/** A decoded value, and the paths (joined by dots) that were repaired. */
interface Mended {
	value: unknown;
	places: string[];
}

/** Decodes a value with a strict schema, repairing differences; null when it has another form altogether. */
export function mended(schema: z.ZodType, wire: JsonValue): Mended | null {
	const places: string[] = [];
	let now = withAmounts(wire, places);
	for (let round = 0; round < MOST_ROUNDS; round++) {
		const decoded = schema.safeParse(now);
		if (decoded.success) return { value: decoded.data, places };
		const repairs = repairsOf((decoded.error as z.ZodError).issues as Issue[], now, []);
		if (repairs === null || places.length + repairs.length > MOST_REPAIRS) return null;
		for (const { path, value } of repairs) {
			now = changed(now, path, value);
			places.push(path.map(String).join('.'));
		}
	}
	return null;
}

/**
 * Decodes a result that cannot be repaired: its members that are missing or cannot be read fail when they are used.
 * Null when it has another form altogether.
 */
export const decodedInPart = (
	method: string,
	forms: readonly z.ZodType[],
	wire: JsonValue
): unknown =>
	readTolerantly(forms, wire, {
		leaf: (schema, value) => {
			const read = mended(schema, value);
			return read === null ? unreadable() : read.value;
		},
		absent: unreadable,
		facts: [],
		// Words of other lists, such as the chains of NFTs, grow with later builds.
		telling: ['literal'],
		fail: (place) => new RpcError('validation-mismatch', { method, place })
	});
