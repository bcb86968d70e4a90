/**
 * Checks a recorded or documented exchange with a trading node against the registry: envelope, HTTP status,
 * result or error, and that encoding the decoded result reproduces the recording.
 */
import { canonical, fits, type Fixture } from '../fixture.ts';
import { isJsonObject, JsonNumber, type JsonValue } from '../json.ts';
import { decodeKdfParams, legacyParams } from './codec.ts';
import { documentedFailure, documentedKdfForms } from './documented.ts';
import { legacyErrors, v2Error, v2Success, V2_MEMBERS } from './envelope.ts';
import { kdfErrorMismatches, type WrittenError } from './errorTypes.ts';
import { methodOfBody, kdfDefinition, type KdfMethod } from './index.ts';
import { taskError } from './tasks.ts';

type Members = { readonly [name: string]: JsonValue };

/** One call of a fixture; a batch fixture has several. */
interface Call {
	name: string;
	kind: 'success' | 'error' | 'either';
	recorded: boolean;
	/** Undefined within a batch and for documentation. */
	status: number | undefined;
	/** Whether it was a POST, the only HTTP method that is served. */
	posted: boolean;
	request: JsonValue;
}

/** Response of the node's HTTP library when the body is not an object. */
const ABORTED = 'The RPC service aborted without responding.';
/** Names of fixtures about the envelope itself. */
const BATCHES: ReadonlySet<string> = new Set(['(batch)', 'batch_requests']);
const ENVELOPE = '(http)';
/** Error types for a method name that the node does not know. */
const UNKNOWN_NAME: ReadonlySet<string> = new Set(['NoSuchMethod', 'InvalidRequest']);

const isTaskStatus = (name: string): boolean => name.endsWith('::status');

/**
 * Returns the id that the response must have: that of the request if it is a non-negative integer, otherwise
 * null.
 */
function wantedId(request: JsonValue): JsonValue {
	const id = isJsonObject(request) ? request['id'] : undefined;
	return id instanceof JsonNumber && /^(?:0|[1-9]\d*)$/.test(id.source) ? id : null;
}

function requestMismatches(call: Call, key: KdfMethod, request: Members): string[] {
	const { envelope, open } = kdfDefinition(key);
	const mismatches: string[] = [];
	if (request['method'] !== call.name) {
		mismatches.push('request: another method than the fixture says');
	}
	if (typeof (request['userpass'] ?? (open ? '' : null)) !== 'string') {
		mismatches.push('request: there is no password');
	}
	if (request['mmrpc'] !== undefined && request['mmrpc'] !== '2.0') {
		mismatches.push('request: another version than 2.0');
	}
	if (envelope === 'v2') {
		const strange = Object.keys(request).filter((name) => !V2_MEMBERS.includes(name));
		mismatches.push(...strange.map((name) => `request: ${name} stands beside params`));
		// A node accepts a missing mmrpc; documentation always includes it.
		if (!call.recorded && request['mmrpc'] !== '2.0') mismatches.push('request: mmrpc is missing');
	}
	try {
		decodeKdfParams(key, envelope === 'v2' ? request['params'] : legacyParams(request));
	} catch (error) {
		mismatches.push(`request: ${error instanceof Error ? error.message : String(error)}`);
	}
	return mismatches;
}

function typedErrorMismatches(call: Call, error: WrittenError, status?: number): string[] {
	const key = methodOfBody(call.name, true);
	// The error types of methods that are never forwarded are not in the registry.
	if (key !== null && kdfDefinition(key).access === 'never') return [];
	return kdfErrorMismatches(error, { method: call.name, status, loose: !call.recorded });
}

/** Returns the error in the status of a failed task; null when the task has not failed. */
function failedTask(result: JsonValue): JsonValue | null {
	if (!isJsonObject(result)) return null;
	const { status, details } = result;
	if (isJsonObject(details) && isJsonObject(details['result']) && details['result']['error_type']) {
		return details['result'];
	}
	return status === 'Error' && details !== undefined ? details : null;
}

/** Reports a coin or tokens in the response that differ from those in the request. */
function strayMismatches(key: KdfMethod, request: Members, answer: Members): string[] {
	const { envelope } = kdfDefinition(key);
	const params = envelope === 'v2' ? request['params'] : request;
	const result = envelope === 'v2' ? answer['result'] : answer;
	if (!isJsonObject(params) || !isJsonObject(result)) return [];
	const mismatches: string[] = [];
	for (const name of ['coin', 'ticker']) {
		const [asked, told] = [params[name], result[name]];
		if (typeof asked === 'string' && told !== undefined && told !== asked) {
			mismatches.push(`result: another ${name} than asked`);
		}
	}
	const infos = result['erc20_addresses_infos'];
	const asked = params['erc20_tokens_requests'];
	if (!isJsonObject(infos) || !Array.isArray(asked)) return mismatches;
	const wanted = (asked as JsonValue[]).map((one) => (isJsonObject(one) ? one['ticker'] : null));
	for (const info of Object.values(infos)) {
		if (!isJsonObject(info)) continue;
		const { balances, tickers } = info;
		const told = isJsonObject(balances) ? Object.keys(balances) : tickers;
		if (!Array.isArray(told) || [...told].sort().join() !== [...wanted].sort().join()) {
			mismatches.push('result: other tokens than asked');
		}
	}
	return mismatches;
}

function resultMismatches(call: Call, key: KdfMethod, wire: JsonValue): string[] {
	const { result } = kdfDefinition(key);
	const own = Object.hasOwn(documentedKdfForms, key) ? documentedKdfForms[key]! : [];
	const documented = isTaskStatus(call.name) ? [...own, documentedFailure] : own;
	const verdict = fits(call.recorded ? [result.kdf] : [result.kdf, ...documented], wire);
	const mismatches = verdict === true ? [] : [`result: ${verdict}`];
	if (!isTaskStatus(call.name)) return mismatches;
	const failure = failedTask(wire);
	if (failure === null) {
		return call.kind === 'error' ? [...mismatches, 'result: expected a failed task'] : mismatches;
	}
	if (call.kind === 'success') mismatches.push('result: a failed task in a success');
	const error = taskError.safeParse(failure);
	return error.success ? mismatches.concat(typedErrorMismatches(call, error.data)) : mismatches;
}

function successMismatches(call: Call, key: KdfMethod | null, answer: Members): string[] {
	if (key === null) return [`the registry does not know the method ${call.name}`];
	const mismatches: string[] = [];
	if (call.status !== undefined && call.status !== 200)
		mismatches.push('http: a result without the status 200');
	const failed = call.kind === 'error' && !isTaskStatus(call.name);
	if (failed) mismatches.push('answer: a result in an error');
	if (isJsonObject(call.request)) {
		mismatches.push(...requestMismatches(call, key, call.request));
		mismatches.push(...strayMismatches(key, call.request, answer));
	}
	if (kdfDefinition(key).envelope === 'legacy') {
		return mismatches.concat(resultMismatches(call, key, answer));
	}
	const envelope = v2Success.safeParse(answer);
	if (!envelope.success) return [...mismatches, 'answer: this is no envelope of version 2'];
	return mismatches.concat(resultMismatches(call, key, envelope.data.result));
}

function v2ErrorMismatches(call: Call, key: KdfMethod | null, answer: Members): string[] {
	const envelope = v2Error.safeParse(answer);
	if (!envelope.success) return ['answer: this is no error of version 2'];
	const error = envelope.data;
	const mismatches = typedErrorMismatches(call, error, call.status);
	if (call.kind === 'success') mismatches.push('answer: an error in a success');
	if (key === null && call.name !== ENVELOPE && !UNKNOWN_NAME.has(error.error_type)) {
		mismatches.push(`the registry does not know the method ${call.name}`);
	}
	return mismatches;
}

function legacyErrorMismatches(call: Call, answer: Members): string[] {
	const forms = call.name === 'disable_coin' ? legacyErrors : legacyErrors.slice(0, 1);
	const verdict = fits(forms, answer);
	const mismatches = verdict === true ? [] : [`answer: ${verdict}`];
	// An error about active swaps or orders must list them.
	if (
		/active swaps|matching orders/.test(String(answer['error'])) &&
		Object.keys(answer).length < 2
	) {
		mismatches.push('answer: it does not name the swaps or orders');
	}
	if (call.kind === 'success') mismatches.push('answer: an error in a success');
	if (call.status !== undefined && call.status !== 500) {
		mismatches.push('http: an error of the older form without the status 500');
	}
	return mismatches;
}

/** Tells whether the node must answer this request in the version 2 envelope; null when both are possible. */
function wantsV2(call: Call, key: KdfMethod | null): boolean | null {
	if (!call.recorded || call.name === ENVELOPE) return null;
	if (!call.posted) return false;
	if (!isJsonObject(call.request)) return null;
	if ((call.request['mmrpc'] ?? null) !== null) return true;
	// Without mmrpc a wrong password is reported in the legacy format, whatever the method.
	return key !== null && kdfDefinition(key).envelope === 'legacy' ? false : null;
}

function checkCall(call: Call, answer: JsonValue): string[] {
	if (!isJsonObject(answer)) return ['answer: not an object'];
	const { request } = call;
	const inV2 = Object.hasOwn(answer, 'mmrpc');
	const mmrpc = isJsonObject(request) ? (request['mmrpc'] ?? null) !== null : inV2;
	const key = methodOfBody(call.name, mmrpc);
	const mismatches: string[] = [];
	const wanted = wantsV2(call, key);
	if (wanted !== null && wanted !== inV2)
		mismatches.push('answer: in the other envelope than asked');
	if (inV2) {
		if (isJsonObject(request) && canonical(answer['id']) !== canonical(wantedId(request))) {
			mismatches.push('answer: another id than asked');
		}
		const failed = Object.hasOwn(answer, 'error');
		return mismatches.concat(
			failed ? v2ErrorMismatches(call, key, answer) : successMismatches(call, key, answer)
		);
	}
	// A documentation page may show only the error of a failed task.
	if (!call.recorded && Object.hasOwn(answer, 'error_type')) {
		const error = taskError.safeParse(answer);
		return error.success
			? typedErrorMismatches(call, error.data)
			: ['answer: not an error of a task'];
	}
	return mismatches.concat(
		Object.hasOwn(answer, 'error')
			? legacyErrorMismatches(call, answer)
			: successMismatches(call, key, answer)
	);
}

function checkBatch(fixture: Fixture): string[] {
	const { request, answer, recorded } = fixture;
	if (!Array.isArray(answer)) return ['answer: a batch answers with an array'];
	if (!Array.isArray(request)) return ['request: a batch is an array'];
	const requests = request as JsonValue[];
	const answers = answer as JsonValue[];
	const mismatches = requests.length === answers.length ? [] : ['answer: not one for each request'];
	if (recorded && fixture.status !== '200') mismatches.push('http: a batch without the status 200');
	return mismatches.concat(
		...requests.map((one, index) => {
			const name = isJsonObject(one) ? one['method'] : undefined;
			const call: Call = {
				name: typeof name === 'string' ? name : '',
				kind: 'either',
				recorded,
				status: undefined,
				posted: true,
				request: one
			};
			return checkCall(call, answers[index] ?? null).map((mismatch) => `${index}: ${mismatch}`);
		})
	);
}

/** Checks a response without a JSON body: to OPTIONS, or to a body that is not an object. */
function checkText({ kind, status, verb, answerText }: Fixture): string[] {
	if (verb === 'OPTIONS') {
		return kind === 'success' && status === '200' && answerText === ''
			? []
			: ['answer: OPTIONS is answered with 200 and nothing'];
	}
	return kind === 'error' && status === '500' && answerText === ABORTED
		? []
		: ['answer: there is none'];
}

/** Returns how a fixture of a trading node differs from the registry. */
export function checkKdf(fixture: Fixture): string[] {
	const { name, kind, recorded, status, verb, request, answer } = fixture;
	const mismatches: string[] = [];
	if (answer === undefined) return mismatches.concat(checkText(fixture));
	if (recorded && fixture.answerText === '')
		mismatches.push('the fixture lacks the text of its answer');
	if (BATCHES.has(name)) return mismatches.concat(checkBatch(fixture));
	const call: Call = {
		name,
		kind: kind === 'error' ? 'error' : 'success',
		recorded,
		status: status === undefined ? undefined : Number(status),
		posted: !recorded || verb === 'POST',
		request
	};
	if (!recorded && answer === null && isJsonObject(request)) {
		// A documentation page that shows only a request.
		const key = methodOfBody(name, (request['mmrpc'] ?? null) !== null);
		return key === null
			? [...mismatches, `the registry does not know the method ${name}`]
			: mismatches.concat(requestMismatches(call, key, request));
	}
	return mismatches.concat(checkCall(call, answer));
}
