/** Recorded or documented request/response pairs, and comparison of JSON texts. */
import type { z } from 'zod';
import { isJsonObject, JsonNumber, parseJson, stringifyJson, type JsonValue } from './json.ts';

/** Serializes a value canonically: members sorted, numbers with their original digits. */
export function canonical(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
	if (typeof value === 'object' && value !== null && !(value instanceof JsonNumber)) {
		const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
		return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join(',')}}`;
	}
	return stringifyJson(value);
}

/** Like {@link canonical}, with numbers compared by value: for responses written by different serializers. */
function loose(value: JsonValue): string {
	return canonical(JSON.parse(stringifyJson(value), (_name, inner: unknown) => inner) as JsonValue);
}

/** Returns true when one of the forms decodes the value and encodes it unchanged; otherwise the reason. */
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
	/** HTTP method; undefined when it was not recorded. */
	verb: string | undefined;
	request: JsonValue;
	/** Request text as sent; undefined when only a document shows the request. */
	requestText: string | undefined;
	answer: JsonValue | undefined;
	/** Response text as received; empty when there is none. */
	answerText: string;
}

/** A request/response pair names its `service`, a collection its `provenance`. */
const isFixture = (value: JsonValue): boolean =>
	isJsonObject(value) && (Object.hasOwn(value, 'service') || Object.hasOwn(value, 'provenance'));

/**
 * Returns the text of each fixture in a JSON file by name; a file holds either several named ones or a single
 * one.
 */
export function fixturesIn(text: string): readonly (readonly [name: string, text: string])[] {
	let file: JsonValue;
	try {
		file = parseJson(text);
	} catch {
		return [['', text]];
	}
	const members = isJsonObject(file) && !isFixture(file) ? Object.entries(file) : [];
	// One is enough: another member that does not say what it is must be reported, not hide the others.
	if (!members.some(([, one]) => isFixture(one))) return [['', text]];
	return members.map(([name, one]) => [name, stringifyJson(one)]);
}

/**
 * One documentation page shows a recorder's format: the body as text in `raw_response`, next to the HTTP
 * status.
 */
function holdsRaw(kept: JsonValue, response: JsonValue): boolean {
	const raw = isJsonObject(kept) ? kept['raw_response'] : undefined;
	if (typeof raw !== 'string') return false;
	try {
		return loose(parseJson(raw)) === loose(response);
	} catch {
		return false;
	}
}

/** Checks that the recorded request text equals the request of the fixture. */
function sentMismatches({ requestText, request, verb }: Fixture): string[] {
	if (requestText === undefined && request === null && verb !== 'POST') return [];
	if (requestText === undefined) return ['the fixture lacks the text of its request'];
	let sent: JsonValue;
	try {
		sent = parseJson(requestText);
	} catch {
		return request === null ? [] : ['request and request_text say different things'];
	}
	// A request that is not a call is kept as text only.
	if (request === null && !isJsonObject(sent) && !Array.isArray(sent)) return [];
	return loose(sent) === loose(request) ? [] : ['request and request_text say different things'];
}

/** Reads the contents of a fixture file; `mismatches` lists contradictions within it. */
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
			// Plain text or hex of a command line, or a response body that is not JSON.
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
	const fixture: Fixture = {
		name: typeof method === 'string' ? method : '',
		kind,
		recorded,
		status: status instanceof JsonNumber ? status.source : undefined,
		verb: typeof verb === 'string' ? verb : undefined,
		request,
		requestText: typeof sent === 'string' ? sent : undefined,
		answer,
		answerText: typeof text === 'string' ? text : ''
	};
	if (recorded) {
		if (fixture.status === undefined) mismatches.push('http: there is no status');
		if (fixture.verb === undefined) mismatches.push('http: there is no method');
		mismatches.push(...sentMismatches(fixture));
	}
	return { fixture, mismatches };
}
