import { isJsonObject, JsonNumber, parseJson, stringifyJson } from '#lib/rpc/json.ts';
import type { JsonValue } from '#lib/rpc/json.ts';
import { kinds, type Kind } from './kinds.ts';
import type { Roles } from './roles.ts';
import { transactionDifference } from './transactions.ts';
import { varyingAt } from './varies.ts';

/** An HTTP response. */
export interface Answer {
	status: number;
	contentType: string;
	text: string;
}

interface Expected extends Answer {
	/** The method, as key for the table of values that differ between chains. */
	method: string;
}

const kindOf = (value: JsonValue): string => {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	if (value instanceof JsonNumber) return 'number';
	return typeof value;
};

const shown = (value: JsonValue): string => {
	const text = stringifyJson(value);
	return text.length > 160 ? `${text.slice(0, 160)}…` : text;
};

/** Whether the form applies to a value: the null of a failure, for example, is no height. */
const isOf = (kind: Kind, value: JsonValue): boolean =>
	kind === 'list' ? Array.isArray(value) : kinds[kind](value, value);

const asList = (value: JsonValue | undefined): readonly JsonValue[] =>
	Array.isArray(value) ? (value as JsonValue[]) : [];

const ID = /^[0-9a-f]{64}$/;
const NO_ID = '0'.repeat(64);

/** Compares one response with its recording and collects the differences. */
class Comparison {
	readonly mismatches: string[] = [];
	readonly #roles: Roles;
	readonly #method: string;

	constructor(roles: Roles, method: string) {
		this.#roles = roles;
		this.#method = method;
	}

	value(expected: JsonValue, actual: JsonValue, path: string): void {
		const varying = varyingAt(this.#method, path);
		if (varying && isOf(varying, expected)) {
			return this.#varying(varying, expected, actual, path);
		}
		const [wanted, got] = [kindOf(expected), kindOf(actual)];
		if (wanted !== got) return this.#differs(path, expected, actual);
		if (typeof expected === 'string') return this.#text(expected, actual as string, path);
		if (expected instanceof JsonNumber) {
			if (expected.source !== (actual as JsonNumber).source) this.#differs(path, expected, actual);
		} else if (Array.isArray(expected)) this.#list(expected, actual as JsonValue[], path);
		else if (isJsonObject(expected)) {
			this.#members(expected, actual as { [name: string]: JsonValue }, path);
		} else if (expected !== actual) this.#differs(path, expected, actual);
	}

	#differs(path: string, expected: JsonValue, actual: JsonValue): void {
		this.mismatches.push(`${path || 'answer'}: ${shown(expected)} became ${shown(actual)}`);
	}

	/** A value that differs between chains must have the recorded type and form. */
	#varying(kind: Kind, expected: JsonValue, actual: JsonValue, path: string): void {
		if (kind === 'list') return this.#alike(expected, actual, path);
		const form = kinds[kind];
		const wanted = typeof expected === 'string' ? this.#roles.transcribe(expected) : expected;
		if (kindOf(expected) !== kindOf(actual) || !form(wanted, actual)) {
			this.mismatches.push(`${path}: ${shown(actual)} is no ${kind} as ${shown(expected)} is`);
		}
		if (kind === 'proof') this.#roles.learn(String(expected), String(actual));
	}

	/**
	 * A list that differs between chains: each entry must resemble a recorded one, and the list is empty only
	 * if the recorded one is.
	 */
	#alike(expected: JsonValue, actual: JsonValue, path: string): void {
		if (!Array.isArray(expected) || !Array.isArray(actual)) {
			return this.#differs(path, expected, actual);
		}
		if ((expected.length === 0) !== (actual.length === 0)) {
			return this.#differs(path, expected, actual);
		}
		for (const entry of actual as JsonValue[]) {
			const tries = (expected as JsonValue[]).map((wanted) => {
				const one = new Comparison(this.#roles.copy(), this.#method);
				one.value(wanted, entry, `${path}[${this.#isOwn(wanted) ? 'own' : ''}]`);
				return one.mismatches;
			});
			if (tries.some((mismatches) => mismatches.length === 0)) continue;
			tries.sort((a, b) => a.length - b.length);
			this.mismatches.push(...tries[0]!);
		}
	}

	#list(expected: readonly JsonValue[], actual: readonly JsonValue[], path: string): void {
		if (expected.length !== actual.length) {
			this.mismatches.push(`${path}: ${expected.length} entries became ${actual.length}`);
		}
		expected.slice(0, actual.length).forEach((wanted, index) => {
			this.value(wanted, actual[index]!, `${path}[${this.#isOwn(wanted) ? 'own' : ''}]`);
		});
	}

	/** Whether an entry belongs to the wallet itself, so that its amount depends on the wallet's coins. */
	#isOwn(entry: JsonValue): boolean {
		if (!isJsonObject(entry)) return false;
		const { address, scriptPubKey } = entry;
		const [own] = isJsonObject(scriptPubKey) ? asList(scriptPubKey['addresses']) : [address];
		return this.#roles.isRecorder(own);
	}

	/** The same members in the same order; keys of a map must correspond to each other. */
	#members(
		expected: { readonly [name: string]: JsonValue },
		actual: { readonly [name: string]: JsonValue },
		path: string
	): void {
		const wanted = Object.keys(expected);
		const got = Object.keys(actual);
		const ids =
			wanted.length === got.length && wanted.length > 0 && wanted.every((n) => ID.test(n));
		const names = ids
			? wanted.map((name, index) => {
					this.#text(name, got[index]!, `${path}.*`);
					return got[index]!;
				})
			: wanted;
		if (names.join() !== got.join()) {
			this.mismatches.push(`${path || 'answer'}: members ${wanted.join()} became ${got.join()}`);
		}
		wanted.forEach((name, index) => {
			const own = names[index]!;
			if (!Object.hasOwn(actual, own)) return;
			this.value(expected[name]!, actual[own]!, `${path}.${ids ? '*' : name}`.replace(/^\./, ''));
		});
	}

	/**
	 * Texts must be equal or correspond: the first response that contains an id, an address or a transaction of
	 * the recorded chain fixes its counterpart.
	 */
	#text(expected: string, actual: string, path: string): void {
		// The caller's own id is returned unchanged.
		const asSent = path === 'id' || path === '[].id';
		if (asSent && expected !== actual) return this.#differs(path, expected, actual);
		const known = asSent ? expected : this.#roles.of(expected);
		if (known !== undefined) {
			if (known !== actual) this.#differs(path, known, actual);
			return;
		}
		const wanted = this.#roles.transcribe(expected);
		if (wanted === actual) return;
		const bothIds = ID.test(wanted) && ID.test(actual) && wanted !== NO_ID && actual !== NO_ID;
		if (!bothIds) {
			const difference = transactionDifference(wanted, actual, this.#roles);
			if (difference === null) return this.#differs(path, wanted, actual);
			if (difference !== '') this.mismatches.push(`${path}: ${difference}`);
		}
		this.#roles.learn(expected, actual);
	}
}

const parsed = (text: string): JsonValue | undefined => {
	try {
		return parseJson(text);
	} catch {
		return undefined;
	}
};

/** All differences between a response and the recorded one; empty when it matches. */
export function mismatches(expected: Expected, actual: Answer, roles: Roles): string[] {
	const found: string[] = [];
	if (expected.status !== actual.status) {
		found.push(`status: ${expected.status} became ${actual.status}`);
	}
	if (expected.contentType !== actual.contentType) {
		found.push(`content type: ${expected.contentType} became ${actual.contentType}`);
	}
	const wanted = parsed(expected.text);
	const got = parsed(actual.text);
	if (wanted === undefined || got === undefined) {
		if (expected.text !== actual.text) {
			found.push(`body: ${shown(expected.text)} became ${shown(actual.text)}`);
		}
		return found;
	}
	if (actual.text !== `${stringifyJson(got)}\n`) found.push('body: not written as the daemon does');
	const comparison = new Comparison(roles, expected.method);
	comparison.value(wanted, got, '');
	return [...found, ...comparison.mismatches];
}
