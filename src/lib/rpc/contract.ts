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

/** Result of a check; fixtures of other services are skipped. */
type FixtureVerdict = { kind: 'checked'; mismatches: string[] } | { kind: 'passed-over' };

/** Error codes for a method that the daemon does not know: method not found, or still starting. */
const REFUSED_NAME: ReadonlySet<string> = new Set(['-32601', '-28']);

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

function checkDaemon(fixture: Fixture): string[] {
	const { name, kind, recorded, status, request, answer } = fixture;
	if (answer === undefined) {
		return status !== undefined && WITHOUT_BODY.has(status) && kind === 'error'
			? []
			: ['answer: there is none'];
	}
	if (name === '(batch)') {
		if (!Array.isArray(answer)) return ['answer: a batch answers with an array'];
		return (answer as JsonValue[]).flatMap(envelopeMismatches);
	}
	if (name === '(http)') return envelopeMismatches(answer);

	// The command line prints only the result; one documentation page also shows it without its envelope.
	const bare =
		!recorded && (request === null || !(isJsonObject(answer) && Object.hasOwn(answer, 'error')));
	const envelope = bare ? { result: answer, error: null, id: null } : answer;
	const mismatches = envelopeMismatches(envelope);
	if (!isJsonObject(envelope) || mismatches.length > 0) return mismatches;
	const { result = null, error = null } = envelope;
	if (isJsonObject(request) && recorded) {
		const id = request['id'] ?? null;
		if (canonical(envelope['id']) !== canonical(id))
			mismatches.push('answer: another id than asked');
	}
	if (!isDaemonMethod(name)) {
		const code = isJsonObject(error) ? error['code'] : undefined;
		return code instanceof JsonNumber && REFUSED_NAME.has(code.source)
			? mismatches
			: [...mismatches, `the registry does not know the method ${name}`];
	}
	const definition = daemonMethods[name] as unknown as Method;
	const worked = kind === 'success';
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
	if (recorded && error !== null && status === '200') {
		mismatches.push('http: an error with the status 200');
	}
	return mismatches;
}

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
	const { service } = file;
	if (service !== 'daemon' && service !== 'trading-node') return { kind: 'passed-over' };
	const { fixture, mismatches } = readFixture(file);
	const check = service === 'daemon' ? checkDaemon : checkKdf;
	return { kind: 'checked', mismatches: [...mismatches, ...check(fixture)] };
}
