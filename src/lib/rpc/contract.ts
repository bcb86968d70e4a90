/**
 * Checks a recorded or documented request and response against the registry: the response must decode, and
 * encoding the result must reproduce the recording.
 */
import { z } from 'zod';
import { decodeParams, inBandError } from './codec.ts';
import { daemonMethods, isDaemonMethod } from './daemon/index.ts';
import { documentedForms } from './daemon/documented.ts';
import { answerEnvelope } from './envelope.ts';
import { canonical, fits, readFixture, type Fixture } from './fixture.ts';
import { isJsonObject, JsonNumber, parseJson, type JsonValue } from './json.ts';
import type { Method } from './method.ts';
import { checkCollected } from './kdf/collected.ts';
import { checkKdf } from './kdf/contract.ts';
import { address, bool, int, object, pubkey, text } from './types.ts';

/** Result of a check; notes about the source of a collection are no fixtures. */
type FixtureVerdict = { kind: 'checked'; mismatches: string[] } | { kind: 'passed-over' };

/** Error codes for a method that the daemon does not know: method not found, or still starting. */
const REFUSED_NAME: ReadonlySet<string> = new Set(['-32601', '-28']);

/** Error code for a request that names no method. */
const INVALID_REQUEST = '-32600';

/** A recording must match the current form; documentation may also show older forms. */
function resultMismatches(
	name: string,
	definition: Method,
	wire: JsonValue,
	recorded: boolean
): string[] {
	const { result, seedResult } = definition;
	const documented = Object.hasOwn(documentedForms, name) ? documentedForms[name]! : [];
	const others = [...(seedResult ? [seedResult] : []), ...documented];
	const verdict = fits(recorded ? [result] : [result, ...others], wire);
	return verdict === true ? [] : [`result: ${verdict}`];
}

/**
 * Forms of failures returned as a result: those of the token module, and of `setpubkey`, which adds facts.
 */
const softForms = [
	object({ result: z.literal('error'), error: text }),
	object({ error: text }),
	object({ error: text, address, pubkey, ismine: bool.optional() }),
	// Source: `kvsearch`, rpc/blockchain.cpp.
	object({ coin: text, currentheight: int, key: text, keylen: int, error: text })
];

function failureMismatches(definition: Method, wire: JsonValue): string[] {
	if (inBandError(definition, wire) === null) {
		return ['result: expected a failure, and this is none of this method'];
	}
	if (!isJsonObject(wire)) return [];
	const verdict = fits(softForms, wire);
	return verdict === true ? [] : [`failure: ${verdict}`];
}

function envelopeMismatches(envelope: JsonValue): string[] {
	const parsed = answerEnvelope.safeParse(envelope);
	if (parsed.success) {
		const { result, error } = parsed.data;
		return error !== null && result !== null ? ['answer: both result and error'] : [];
	}
	return parsed.error.issues.map((issue) => `answer: ${issue.path.join('.')}: ${issue.message}`);
}

function requestMismatches(name: string, request: JsonValue, worked: boolean): string[] {
	if (!isJsonObject(request)) return ['request: not an object'];
	const mismatches: string[] = [];
	if (request['method'] !== name) mismatches.push('request: another method than the fixture says');
	const params = request['params'] ?? [];
	if (!worked) return mismatches;
	if (!Array.isArray(params)) return [...mismatches, 'request: params is not an array'];
	try {
		decodeParams(name as keyof typeof daemonMethods, params as JsonValue[]);
	} catch (error) {
		mismatches.push(`request: ${error instanceof Error ? error.message : String(error)}`);
	}
	return mismatches;
}

/** HTTP status of responses without a JSON body: wrong credentials, path or verb, or a full work queue. */
const WITHOUT_BODY: ReadonlySet<string> = new Set(['401', '403', '404', '405', '500', '503']);

/** One call of a fixture; a batch fixture has several. */
interface Call {
	name: string;
	kind: 'success' | 'error' | 'either';
	recorded: boolean;
	request: JsonValue;
}

/** Error codes that have an HTTP status of their own; every other one has 500. Source: JSONErrorReply, httprpc.cpp. */
const STATUS_OF_CODE: ReadonlyMap<string, string> = new Map([
	[INVALID_REQUEST, '400'],
	['-32601', '404']
]);

const codeOf = (error: JsonValue): string => {
	const code = isJsonObject(error) ? error['code'] : undefined;
	return code instanceof JsonNumber ? code.source : '';
};

function statusMismatches({ recorded, status }: Fixture, envelope: JsonValue): string[] {
	// Documentation shows no status, and the lack of one in a recording is a mismatch of its own.
	if (!recorded || status === undefined || !isJsonObject(envelope)) return [];
	const { error = null } = envelope;
	if (error === null) return status === '200' ? [] : ['http: a result without the status 200'];
	const code = codeOf(error);
	const wanted = STATUS_OF_CODE.get(code) ?? '500';
	return status === wanted ? [] : [`http: the error ${code} without the status ${wanted}`];
}

function callMismatches(call: Call, envelope: JsonValue): string[] {
	const { name, kind, recorded, request } = call;
	const mismatches = envelopeMismatches(envelope);
	if (!isJsonObject(envelope) || mismatches.length > 0) return mismatches;
	const { result = null, error = null } = envelope;
	if (isJsonObject(request) && recorded) {
		const id = request['id'] ?? null;
		if (canonical(envelope['id']) !== canonical(id))
			mismatches.push('answer: another id than asked');
	}
	if (!isDaemonMethod(name)) {
		const code = codeOf(error);
		return (name === '' ? code === INVALID_REQUEST : REFUSED_NAME.has(code))
			? mismatches
			: [...mismatches, `the registry does not know the method ${name}`];
	}
	const definition = daemonMethods[name] as unknown as Method;
	const worked =
		kind === 'either'
			? error === null && inBandError(definition, result) === null
			: kind === 'success';
	if (request !== null) mismatches.push(...requestMismatches(name, request, worked));
	if (worked) {
		if (error !== null) mismatches.push('answer: an error in a success');
		// `setpubkey` succeeds, but its result contains an error text that says why nothing was changed.
		else if (definition.fails.includes('member') && inBandError(definition, result) !== null) {
			mismatches.push(...failureMismatches(definition, result));
		} else mismatches.push(...resultMismatches(name, definition, result, recorded));
	} else if (error === null) {
		mismatches.push(...failureMismatches(definition, result));
	}
	return mismatches;
}

function batchMismatches({ request, answer, recorded, status }: Fixture): string[] {
	if (!Array.isArray(answer)) return ['answer: a batch answers with an array'];
	if (!Array.isArray(request)) return ['request: a batch is an array'];
	const requests = request as JsonValue[];
	const answers = answer as JsonValue[];
	const mismatches = requests.length === answers.length ? [] : ['answer: not one for each request'];
	if (recorded && status !== '200') mismatches.push('http: a batch without the status 200');
	return mismatches.concat(
		...requests.map((one, index) => {
			const method = isJsonObject(one) ? one['method'] : undefined;
			const name = typeof method === 'string' ? method : '';
			const call: Call = { name, kind: 'either', recorded, request: one };
			return callMismatches(call, answers[index] ?? null).map((text) => `${index}: ${text}`);
		})
	);
}

function checkDaemon(fixture: Fixture): string[] {
	const { name, kind, recorded, status, request, answer } = fixture;
	if (answer === undefined) {
		return status !== undefined && WITHOUT_BODY.has(status) && kind === 'error'
			? []
			: ['answer: there is none'];
	}
	if (name === '(batch)') return batchMismatches(fixture);
	if (name === '(http)') {
		return [...envelopeMismatches(answer), ...statusMismatches(fixture, answer)];
	}
	// The command line prints only the result; one documentation page also shows it without its envelope.
	const bare =
		!recorded && (request === null || !(isJsonObject(answer) && Object.hasOwn(answer, 'error')));
	const envelope = bare ? { result: answer, error: null, id: null } : answer;
	const call: Call = { name, kind: kind === 'success' ? 'success' : 'error', recorded, request };
	return [...callMismatches(call, envelope), ...statusMismatches(fixture, envelope)];
}

/** Members of a fixture or of a collection: a file with one of them is no note. */
const PAIR = ['service', 'method', 'request', 'response', 'response_text', 'instances'];

/** Checks one fixture. @param text the JSON of the fixture */
export function checkFixture(text: string): FixtureVerdict {
	let file: JsonValue;
	try {
		file = parseJson(text);
	} catch {
		return { kind: 'checked', mismatches: ['the file is not JSON'] };
	}
	if (!isJsonObject(file)) return { kind: 'checked', mismatches: ['the file holds no object'] };
	if (isJsonObject(file['instances']) && Object.hasOwn(file, 'provenance')) {
		return { kind: 'checked', mismatches: checkCollected(file['instances'], file['provenance']) };
	}
	const { service, provenance } = file;
	const isNote = typeof provenance === 'string' && !PAIR.some((name) => Object.hasOwn(file, name));
	if (isNote) return { kind: 'passed-over' };
	if (service !== 'daemon' && service !== 'trading-node') {
		return { kind: 'checked', mismatches: ['the fixture names no known service'] };
	}
	const { fixture, mismatches } = readFixture(file);
	const check = service === 'daemon' ? checkDaemon : checkKdf;
	return { kind: 'checked', mismatches: [...mismatches, ...check(fixture)] };
}
