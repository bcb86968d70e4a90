import {
	RPC_INVALID_REQUEST,
	RPC_IN_WARMUP,
	RPC_METHOD_NOT_FOUND,
	RPC_MISC_ERROR,
	RPC_PARSE_ERROR
} from '#lib/rpc/errorCodes.ts';
import { JsonNumber, stringifyJson, type JsonValue } from '#lib/rpc/json.ts';
import { DaemonCrash } from '../ledger/cross-chain/error.ts';
import { RpcError, UsageError } from '../rpc/error.ts';
import { Params } from '../rpc/params.ts';
import { readJson } from './uniValue.ts';

/** What the envelope needs of a daemon: its methods, and whether it is still starting. */
export interface Dispatcher {
	/** Text of the current start-up step; null once the daemon is up. */
	readonly warmUp: string | null;
	/** Returns the result; undefined when there is no such method. */
	call(method: string, params: Params): JsonValue | undefined;
	/** Returns the help text sent for a call with the wrong number of parameters. */
	help(method: string): string;
}

interface Answer {
	status: number;
	body: string;
}

/** A malformed request, refused before a method runs. */
class RequestError extends RpcError {}

interface Reply {
	status: number;
	value: JsonValue;
}

const success = (result: JsonValue, id: JsonValue): Reply => ({
	status: 200,
	value: { result, error: null, id }
});

const failure = (code: number, message: string, id: JsonValue): Reply => ({
	status: code === RPC_INVALID_REQUEST ? 400 : code === RPC_METHOD_NOT_FOUND ? 404 : 500,
	value: { result: null, error: { code: new JsonNumber(String(code)), message }, id }
});

const isObject = (value: JsonValue): value is { [key: string]: JsonValue } =>
	typeof value === 'object' &&
	value !== null &&
	!Array.isArray(value) &&
	!(value instanceof JsonNumber);

function execute(dispatcher: Dispatcher, request: { [key: string]: JsonValue }): JsonValue {
	const method = Object.hasOwn(request, 'method') ? request.method! : null;
	if (method === null) throw new RequestError(RPC_INVALID_REQUEST, 'Missing method');
	if (typeof method !== 'string')
		throw new RequestError(RPC_INVALID_REQUEST, 'Method must be a string');
	const params = Object.hasOwn(request, 'params') ? request.params! : null;
	if (params !== null && !Array.isArray(params)) {
		throw new RequestError(RPC_INVALID_REQUEST, 'Params must be an array');
	}
	if (dispatcher.warmUp !== null && method !== 'help') {
		throw new RpcError(RPC_IN_WARMUP, dispatcher.warmUp);
	}
	try {
		const result = dispatcher.call(method, new Params(params ?? []));
		if (result === undefined) throw new RpcError(RPC_METHOD_NOT_FOUND, 'Method not found');
		return result;
	} catch (cause) {
		if (cause instanceof UsageError) throw new RpcError(RPC_MISC_ERROR, dispatcher.help(method));
		throw cause;
	}
}

function one(dispatcher: Dispatcher, request: JsonValue): Reply {
	if (!isObject(request)) return failure(RPC_INVALID_REQUEST, 'Invalid Request object', null);
	const id = Object.hasOwn(request, 'id') ? request.id! : null;
	try {
		return success(execute(dispatcher, request), id);
	} catch (cause) {
		if (cause instanceof DaemonCrash) throw cause;
		if (cause instanceof RpcError) return failure(cause.code, cause.message, id);
		// The daemon turns every C++ exception of a method into code -1 with its text.
		return failure(RPC_MISC_ERROR, cause instanceof Error ? cause.message : String(cause), id);
	}
}

const written = (reply: Reply): Answer => ({
	status: reply.status,
	body: `${stringifyJson(reply.value)}\n`
});

/** Returns the method names in a request body, for faults limited to one method. */
export function methodsOf(body: string): string[] {
	try {
		const value = readJson(body);
		const requests = Array.isArray(value) ? value : [value];
		return requests.flatMap((request) =>
			isObject(request) && typeof request.method === 'string' ? [request.method] : []
		);
	} catch {
		return [];
	}
}

/**
 * Answers a request body like the daemon: a single call with the HTTP status of its error, a batch always
 * with 200.
 */
export function answer(dispatcher: Dispatcher, body: string): Answer {
	let request: JsonValue;
	try {
		request = readJson(body);
	} catch {
		return written(failure(RPC_PARSE_ERROR, 'Parse error', null));
	}
	if (Array.isArray(request)) {
		const replies = request.map((item) => one(dispatcher, item).value);
		return { status: 200, body: `${stringifyJson(replies)}\n` };
	}
	if (!isObject(request)) {
		return written(failure(RPC_PARSE_ERROR, 'Top-level object parse error', null));
	}
	return written(one(dispatcher, request));
}
