/** A recorded or documented pair of request and answer, and what makes two JSON texts equal. */
import type { z } from 'zod';
import { isJsonObject, JsonNumber, parseJson, stringifyJson, type JsonValue } from './json.ts';

/** Text that is equal for equal JSON: members sorted, numbers in their own digits. */
export function canonical(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
	if (typeof value === 'object' && value !== null && !(value instanceof JsonNumber)) {
		const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
		return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join(',')}}`;
	}
	return stringifyJson(value);
}

/** The same, with numbers by value: what two writers of one answer must agree on. */
export function loose(value: JsonValue): string {
	return canonical(JSON.parse(stringifyJson(value), (_name, inner: unknown) => inner) as JsonValue);
}

/** True when one of the forms reads the value and writes it back unchanged. */
export function fits(forms: readonly z.ZodType[], wire: JsonValue): true | string {
	let reason = 'no form fits';
	const wanted = canonical(wire);
	for (const [index, form] of forms.entries()) {
		const decoded = form.safeParse(wire);
		if (!decoded.success) {
			const issue = decoded.error.issues[0];
			if (index === 0 && issue) reason = `${issue.path.join('.') || 'result'}: ${issue.message}`;
			continue;
		}
		const encoded = form.safeEncode(decoded.data);
		if (encoded.success && canonical(encoded.data) === wanted) return true;
		reason = 'encoding the decoded answer does not give it back';
	}
	return reason;
}

export interface Fixture {
	name: string;
	kind: JsonValue | undefined;
	recorded: boolean;
	status: string | undefined;
	/** The HTTP verb; undefined where nothing was recorded. */
	verb: string | undefined;
	request: JsonValue;
	/** The request as it was sent; undefined where only a document shows it. */
	requestText: string | undefined;
	answer: JsonValue | undefined;
	/** The answer as it was written; empty where there is none. */
	answerText: string;
}

/** Every pair names the service that it is of; an account of what was collected says where it is from. */
const isFixture = (value: JsonValue): boolean =>
	isJsonObject(value) && (Object.hasOwn(value, 'service') || Object.hasOwn(value, 'provenance'));

/** The text of each fixture in a JSON file, by name: a file holds several under their names, or one without. */
export function fixturesIn(text: string): readonly (readonly [name: string, text: string])[] {
	let file: JsonValue;
	try {
		file = parseJson(text);
	} catch {
		return [['', text]];
	}
	const members = isJsonObject(file) ? Object.entries(file) : [];
	if (members.length === 0 || !members.every(([, one]) => isFixture(one))) return [['', text]];
	return members.map(([name, one]) => [name, stringifyJson(one)]);
}

/** One page shows what its recorder kept: the body as text in `raw_response`, beside the HTTP status. */
function holdsRaw(kept: JsonValue, response: JsonValue): boolean {
	const raw = isJsonObject(kept) ? kept['raw_response'] : undefined;
	if (typeof raw !== 'string') return false;
	try {
		return loose(parseJson(raw)) === loose(response);
	} catch {
		return false;
	}
}

/** What is in the file; `mismatches` are contradictions inside it. */
export function readFixture(file: { readonly [name: string]: JsonValue }): {
	fixture: Fixture;
	mismatches: string[];
} {
	const mismatches: string[] = [];
	const { method, kind, request = null, response = null, http } = file;
	const recorded = isJsonObject(http);
	const status = recorded ? http['status'] : undefined;
	const verb = recorded ? http['method'] : undefined;
	const sent = file['request_text'];
	let answer: JsonValue | undefined = response;
	const text = file['response_text'];
	if (typeof text === 'string' && text !== '') {
		let parsed: JsonValue | undefined;
		try {
			parsed = parseJson(text);
		} catch {
			// Bare words or hex of a command line, or the body of an answer that is no JSON.
			parsed = undefined;
		}
		if (parsed !== undefined && typeof response !== 'string') {
			if (loose(parsed) !== loose(response) && !holdsRaw(parsed, response)) {
				mismatches.push('response and response_text say different things');
			}
			if (recorded) answer = parsed;
		}
	}
	if (recorded && response === null) answer = undefined;
	const { source } = file;
	if (!recorded && isJsonObject(source) && source['kind'] === 'recording') {
		mismatches.push('the recording does not say how HTTP went');
	}
	if (typeof method !== 'string') mismatches.push('the fixture names no method');
	if (kind !== 'success' && kind !== 'error') mismatches.push('the fixture is of an unknown kind');
	return {
		fixture: {
			name: typeof method === 'string' ? method : '',
			kind,
			recorded,
			status: status instanceof JsonNumber ? status.source : undefined,
			verb: typeof verb === 'string' ? verb : undefined,
			request,
			requestText: typeof sent === 'string' ? sent : undefined,
			answer,
			answerText: typeof text === 'string' ? text : ''
		},
		mismatches
	};
}
