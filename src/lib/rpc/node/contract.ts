/**
 * Checks a recorded or documented pair of a trading node against the registry: envelope, HTTP status, result
 * or error, and that encoding what was decoded gives the recording back.
 */
import { canonical, fits, loose, type Fixture } from '../fixture.ts';
import { isJsonObject, JsonNumber, parseJson, type JsonValue } from '../json.ts';
import { decodeNodeParams, legacyParams } from './codec.ts';
import { documentedFailure, documentedNodeForms } from './documented.ts';
import { legacyErrors, v2Error, v2Success, V2_MEMBERS } from './envelope.ts';
import { nodeErrorMisfits, type WrittenError } from './errorTypes.ts';
import { methodOfBody, nodeDefinition, type NodeMethod } from './index.ts';
import { taskError } from './tasks.ts';

type Members = { readonly [name: string]: JsonValue };

/** One call of a fixture: a fixture has one, a batch several. */
interface Call {
	name: string;
	kind: 'success' | 'error' | 'either';
	recorded: boolean;
	/** Undefined in a batch and in a document, which have none. */
	status: number | undefined;
	/** Only POST is served. */
	posted: boolean;
	request: JsonValue;
}

/** What the node's HTTP library says when the body is no object. */
const ABORTED = 'The RPC service aborted without responding.';
/** Names of fixtures that are about the envelope. */
const BATCHES: ReadonlySet<string> = new Set(['(batch)', 'batch_requests']);
const ENVELOPE = '(http)';
/** What a node says to a name that it does not know. */
const UNKNOWN_NAME: ReadonlySet<string> = new Set(['NoSuchMethod', 'InvalidRequest']);

const isTaskStatus = (name: string): boolean => name.endsWith('::status');

/** The id that the answer must carry: that of the request when it is an integer of at least 0. */
function wantedId(request: JsonValue): JsonValue {
	const id = isJsonObject(request) ? request['id'] : undefined;
	return id instanceof JsonNumber && /^(?:0|[1-9]\d*)$/.test(id.source) ? id : null;
}

function requestMisfits(call: Call, key: NodeMethod, request: Members): string[] {
	const { envelope, open } = nodeDefinition(key);
	const misfits: string[] = [];
	if (request['method'] !== call.name) {
		misfits.push('request: another method than the fixture says');
	}
	if (typeof (request['userpass'] ?? (open ? '' : null)) !== 'string') {
		misfits.push('request: there is no password');
	}
	if (request['mmrpc'] !== undefined && request['mmrpc'] !== '2.0') {
		misfits.push('request: another version than 2.0');
	}
	if (envelope === 'v2') {
		const strange = Object.keys(request).filter((name) => !V2_MEMBERS.includes(name));
		misfits.push(...strange.map((name) => `request: ${name} stands beside params`));
		// A node adds a missing mmrpc by itself; documentation never leaves it out.
		if (!call.recorded && request['mmrpc'] !== '2.0') misfits.push('request: mmrpc is missing');
	}
	try {
		decodeNodeParams(key, envelope === 'v2' ? request['params'] : legacyParams(request));
	} catch (error) {
		misfits.push(`request: ${error instanceof Error ? error.message : String(error)}`);
	}
	return misfits;
}

function typedErrorMisfits(call: Call, error: WrittenError, status?: number): string[] {
	const key = methodOfBody(call.name, true);
	// Of methods that are forwarded for nobody no more is known than that they exist.
	if (key !== null && nodeDefinition(key).access === 'never') return [];
	return nodeErrorMisfits(error, { method: call.name, status, loose: !call.recorded });
}

/** The error inside the status of a failed task; null when the task has not failed. */
function failedTask(result: JsonValue): JsonValue | null {
	if (!isJsonObject(result)) return null;
	const { status, details } = result;
	if (isJsonObject(details) && isJsonObject(details['result']) && details['result']['error_type']) {
		return details['result'];
	}
	return status === 'Error' && details !== undefined ? details : null;
}

/** Another coin than was asked for, and other tokens than were asked for. */
function strayMisfits(key: NodeMethod, request: Members, answer: Members): string[] {
	const { envelope } = nodeDefinition(key);
	const params = envelope === 'v2' ? request['params'] : request;
	const result = envelope === 'v2' ? answer['result'] : answer;
	if (!isJsonObject(params) || !isJsonObject(result)) return [];
	const misfits: string[] = [];
	for (const name of ['coin', 'ticker']) {
		const [asked, told] = [params[name], result[name]];
		if (typeof asked === 'string' && told !== undefined && told !== asked) {
			misfits.push(`result: another ${name} than asked`);
		}
	}
	const infos = result['erc20_addresses_infos'];
	const asked = params['erc20_tokens_requests'];
	if (!isJsonObject(infos) || !Array.isArray(asked)) return misfits;
	const wanted = (asked as JsonValue[]).map((one) => (isJsonObject(one) ? one['ticker'] : null));
	for (const info of Object.values(infos)) {
		if (!isJsonObject(info)) continue;
		const { balances, tickers } = info;
		const told = isJsonObject(balances) ? Object.keys(balances) : tickers;
		if (!Array.isArray(told) || [...told].sort().join() !== [...wanted].sort().join()) {
			misfits.push('result: other tokens than asked');
		}
	}
	return misfits;
}

function resultMisfits(call: Call, key: NodeMethod, wire: JsonValue): string[] {
	const { result } = nodeDefinition(key);
	const own = Object.hasOwn(documentedNodeForms, key) ? documentedNodeForms[key]! : [];
	const documented = isTaskStatus(call.name) ? [...own, documentedFailure] : own;
	const verdict = fits(call.recorded ? [result.kdf] : [result.kdf, ...documented], wire);
	const misfits = verdict === true ? [] : [`result: ${verdict}`];
	if (!isTaskStatus(call.name)) return misfits;
	const failure = failedTask(wire);
	if (failure === null) {
		return call.kind === 'error' ? [...misfits, 'result: expected a failed task'] : misfits;
	}
	if (call.kind === 'success') misfits.push('result: a failed task in a success');
	const error = taskError.safeParse(failure);
	return error.success ? misfits.concat(typedErrorMisfits(call, error.data)) : misfits;
}

function successMisfits(call: Call, key: NodeMethod | null, answer: Members): string[] {
	if (key === null) return [`the registry does not know the method ${call.name}`];
	const misfits: string[] = [];
	if (call.status !== undefined && call.status !== 200)
		misfits.push('http: a result without the status 200');
	const failed = call.kind === 'error' && !isTaskStatus(call.name);
	if (failed) misfits.push('answer: a result in an error');
	if (isJsonObject(call.request)) {
		misfits.push(...requestMisfits(call, key, call.request));
		misfits.push(...strayMisfits(key, call.request, answer));
	}
	if (nodeDefinition(key).envelope === 'legacy') {
		return misfits.concat(resultMisfits(call, key, answer));
	}
	const envelope = v2Success.safeParse(answer);
	if (!envelope.success) return [...misfits, 'answer: this is no envelope of version 2'];
	return misfits.concat(resultMisfits(call, key, envelope.data.result));
}

function v2ErrorMisfits(call: Call, key: NodeMethod | null, answer: Members): string[] {
	const envelope = v2Error.safeParse(answer);
	if (!envelope.success) return ['answer: this is no error of version 2'];
	const error = envelope.data;
	const misfits = typedErrorMisfits(call, error, call.status);
	if (call.kind === 'success') misfits.push('answer: an error in a success');
	if (key === null && call.name !== ENVELOPE && !UNKNOWN_NAME.has(error.error_type)) {
		misfits.push(`the registry does not know the method ${call.name}`);
	}
	return misfits;
}

function legacyErrorMisfits(call: Call, answer: Members): string[] {
	const forms = call.name === 'disable_coin' ? legacyErrors : legacyErrors.slice(0, 1);
	const verdict = fits(forms, answer);
	const misfits = verdict === true ? [] : [`answer: ${verdict}`];
	// Whoever says that swaps or orders stand in the way names them.
	if (
		/active swaps|matching orders/.test(String(answer['error'])) &&
		Object.keys(answer).length < 2
	) {
		misfits.push('answer: it does not name the swaps or orders');
	}
	if (call.kind === 'success') misfits.push('answer: an error in a success');
	if (call.status !== undefined && call.status !== 500) {
		misfits.push('http: an error of the older form without the status 500');
	}
	return misfits;
}

/** Whether the node answers this request in the envelope of version 2; null where both are possible. */
function wantsV2(call: Call, key: NodeMethod | null): boolean | null {
	if (!call.recorded || call.name === ENVELOPE) return null;
	if (!call.posted) return false;
	if (!isJsonObject(call.request)) return null;
	if ((call.request['mmrpc'] ?? null) !== null) return true;
	// Without mmrpc a refused password is told in the older form, whatever the method.
	return key !== null && nodeDefinition(key).envelope === 'legacy' ? false : null;
}

function checkCall(call: Call, answer: JsonValue): string[] {
	if (!isJsonObject(answer)) return ['answer: not an object'];
	const { request } = call;
	const inV2 = Object.hasOwn(answer, 'mmrpc');
	const mmrpc = isJsonObject(request) ? (request['mmrpc'] ?? null) !== null : inV2;
	const key = methodOfBody(call.name, mmrpc);
	const misfits: string[] = [];
	const wanted = wantsV2(call, key);
	if (wanted !== null && wanted !== inV2) misfits.push('answer: in the other envelope than asked');
	if (inV2) {
		if (isJsonObject(request) && canonical(answer['id']) !== canonical(wantedId(request))) {
			misfits.push('answer: another id than asked');
		}
		const failed = Object.hasOwn(answer, 'error');
		return misfits.concat(
			failed ? v2ErrorMisfits(call, key, answer) : successMisfits(call, key, answer)
		);
	}
	// A page shows the error of a failed task alone.
	if (!call.recorded && Object.hasOwn(answer, 'error_type')) {
		const error = taskError.safeParse(answer);
		return error.success ? typedErrorMisfits(call, error.data) : ['answer: not an error of a task'];
	}
	return misfits.concat(
		Object.hasOwn(answer, 'error')
			? legacyErrorMisfits(call, answer)
			: successMisfits(call, key, answer)
	);
}

function checkBatch(fixture: Fixture): string[] {
	const { request, answer, recorded } = fixture;
	if (!Array.isArray(answer)) return ['answer: a batch answers with an array'];
	if (!Array.isArray(request)) return ['request: a batch is an array'];
	const requests = request as JsonValue[];
	const answers = answer as JsonValue[];
	const misfits = requests.length === answers.length ? [] : ['answer: not one for each request'];
	if (recorded && fixture.status !== '200') misfits.push('http: a batch without the status 200');
	return misfits.concat(
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
			return checkCall(call, answers[index] ?? null).map((misfit) => `${index}: ${misfit}`);
		})
	);
}

/** An answer without a JSON body: the answer to OPTIONS, and to a body that is no object. */
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

/** What was sent must be what the fixture says was sent. */
function sentMisfits({ requestText, request, verb }: Fixture): string[] {
	if (requestText === undefined && request === null && verb !== 'POST') return [];
	if (requestText === undefined) return ['the fixture lacks the text of its request'];
	let sent: JsonValue;
	try {
		sent = parseJson(requestText);
	} catch {
		return request === null ? [] : ['request and request_text say different things'];
	}
	// A request that is no call is kept as text only.
	if (request === null && !isJsonObject(sent) && !Array.isArray(sent)) return [];
	return loose(sent) === loose(request) ? [] : ['request and request_text say different things'];
}

/** Where a fixture of a trading node differs from the registry. */
export function checkNode(fixture: Fixture): string[] {
	const { name, kind, recorded, status, verb, request, answer } = fixture;
	const misfits: string[] = [];
	if (recorded) {
		if (status === undefined) misfits.push('http: there is no status');
		if (verb === undefined) misfits.push('http: there is no method');
		misfits.push(...sentMisfits(fixture));
	}
	if (answer === undefined) return misfits.concat(checkText(fixture));
	if (recorded && fixture.answerText === '')
		misfits.push('the fixture lacks the text of its answer');
	if (BATCHES.has(name)) return misfits.concat(checkBatch(fixture));
	const call: Call = {
		name,
		kind: kind === 'error' ? 'error' : 'success',
		recorded,
		status: status === undefined ? undefined : Number(status),
		posted: !recorded || verb === 'POST',
		request
	};
	if (!recorded && answer === null && isJsonObject(request)) {
		// A page that shows a request only.
		const key = methodOfBody(name, (request['mmrpc'] ?? null) !== null);
		return key === null
			? [...misfits, `the registry does not know the method ${name}`]
			: misfits.concat(requestMisfits(call, key, request));
	}
	return misfits.concat(checkCall(call, answer));
}
