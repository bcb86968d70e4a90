import { isJsonObject, JsonNumber, parseJson, stringifyJson } from '#lib/rpc/json.ts';
import type { JsonValue } from '#lib/rpc/json.ts';

/** An HTTP response. */
export interface KdfAnswer {
	status: number;
	contentType: string | null;
	text: string;
}

/** Placeholder values for which a full node has its own, with the form that they must have. */
const STAND_INS: readonly { place: RegExp; recorded: RegExp; form: RegExp }[] = [
	{
		place: /(^|\.)result$/,
		recorded: /^WIRE-HARNESS-\d/,
		form: /^\d+\.\d+\.\d+-beta_[0-9a-f]{7}$/
	},
	{ place: /(^|\.)datetime$/, recorded: /^\d{4}-/, form: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/ },
	{ place: /\.address$/, recorded: /^WIRE-HARNESS-address$/, form: /^R[1-9A-HJ-NP-Za-km-z]{33}$/ }
];

/** Positions in the node's source, which differ between builds. */
const TRACE = /^((?:[A-Za-z0-9_]+:\d+\] |RPC call failed: )+)/;
const withoutTrace = (text: string): string => text.replace(TRACE, '');

const kindOf = (value: JsonValue): string => {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	if (value instanceof JsonNumber) return 'number';
	return typeof value;
};

function compare(expected: JsonValue, actual: JsonValue, path: string, found: string[]): void {
	const differs = (): void => {
		found.push(`${path || 'answer'}: ${stringifyJson(expected)} became ${stringifyJson(actual)}`);
	};
	if (kindOf(expected) !== kindOf(actual)) return differs();
	if (typeof expected === 'string') {
		const standIn = STAND_INS.find(
			({ place, recorded }) => place.test(path) && recorded.test(expected)
		);
		if (standIn) return standIn.form.test(actual as string) ? undefined : differs();
		if (/(^|\.)error_(path|trace)$/.test(path)) return;
		const isText = /(^|\.|\])error$/.test(path);
		const same = isText
			? withoutTrace(expected) === withoutTrace(actual as string) &&
				TRACE.test(expected) === TRACE.test(actual as string)
			: expected === actual;
		if (!same) differs();
	} else if (expected instanceof JsonNumber) {
		if (expected.source !== (actual as JsonNumber).source) differs();
	} else if (Array.isArray(expected)) {
		const list = actual as JsonValue[];
		if (list.length !== expected.length) return differs();
		(expected as JsonValue[]).forEach((item, index) =>
			compare(item, list[index]!, `${path}[${index}]`, found)
		);
	} else if (isJsonObject(expected)) {
		const other = actual as { readonly [name: string]: JsonValue };
		if (Object.keys(expected).join() !== Object.keys(other).join()) return differs();
		for (const [name, item] of Object.entries(expected)) {
			compare(item, other[name]!, path === '' ? name : `${path}.${name}`, found);
		}
	} else if (expected !== actual) differs();
}

/** All differences between a response and the recorded one; empty when it matches. */
export function kdfMismatches(expected: KdfAnswer, actual: KdfAnswer): string[] {
	const found: string[] = [];
	if (expected.status !== actual.status) {
		found.push(`status: ${expected.status} became ${actual.status}`);
	}
	if (expected.contentType !== actual.contentType) {
		found.push(`content type: ${expected.contentType} became ${actual.contentType}`);
	}
	const parsed = (text: string): JsonValue | undefined => {
		try {
			return parseJson(text);
		} catch {
			return undefined;
		}
	};
	const [wanted, got] = [parsed(expected.text), parsed(actual.text)];
	if (wanted !== undefined && got !== undefined) {
		if (stringifyJson(got) !== actual.text) found.push('body: not written as the node does');
		compare(wanted, got, '', found);
	} else if (expected.text !== actual.text) {
		found.push(`body: ${expected.text} became ${actual.text}`);
	}
	return found;
}
