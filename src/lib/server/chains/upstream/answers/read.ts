/** Reads the content of an answer from its bytes. Pure: runs in the main thread, and for large answers in a worker. */
import type { AnswerFault } from '#lib/messages/errors/daemon.ts';
import { decodeResult, type Dialect } from '#lib/rpc/codec.ts';
import { daemonMethods, type DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { isJsonObject, readableJson, JsonNumber, type JsonValue } from '#lib/rpc/json.ts';
import { decodeTolerantly } from '#lib/rpc/daemon/tolerant.ts';
import { asWritten, leftOutOf, type LeftOut } from '#lib/rpc/tolerant.ts';
import { readKdfResult } from '#lib/rpc/kdf/codec.ts';
import { readKdfAnswer, type KdfAnswer } from '#lib/rpc/kdf/envelope.ts';
import { kdfDefinition, type KdfDialect, type KdfMethod } from '#lib/rpc/kdf/index.ts';
import { isAppError } from '../../../platform/errors/appError.ts';
import { readEnvelope } from '../result.ts';
import { batchAnswers, type BatchAnswer } from './elements.ts';
import { measureJson, type Excess, type Span } from './measure.ts';
import { isRpcError, type RpcError } from '#lib/rpc/rpcError.ts';

/** One answer to read, with what its kind needs. */
export type Reading =
	| { kind: 'daemon'; method: DaemonMethod; dialect: Dialect; body: Uint8Array }
	| { kind: 'node'; method: KdfMethod; dialect: KdfDialect; body: Uint8Array }
	/** `id`: the id that the call was sent with; null when it had none. */
	| { kind: 'node-said'; method: KdfMethod; id: bigint | null; body: Uint8Array }
	| { kind: 'id'; body: Uint8Array }
	/** Splits the answer to a batch. */
	| { kind: 'batch'; body: Uint8Array };

export type DaemonSaid =
	/**
	 * `written` is the daemon's own JSON when it differs from the registry but could be decoded; otherwise null.
	 * `leftOut`: the members that it lacks.
	 */
	| { kind: 'result'; native: unknown; written: JsonValue | null; leftOut: readonly LeftOut[] }
	| { kind: 'error'; code: number; message: string }
	/** A failure that the daemon reported inside a result. */
	| { kind: 'in-band'; message: string }
	| { kind: 'mismatch'; fault: AnswerFault }
	| { kind: 'excess'; what: Excess };

export type KdfResultSaid =
	/** `leftOut`: the members that it lacks. */
	| { kind: 'result'; native: unknown; mended: boolean; leftOut: readonly LeftOut[] }
	| { kind: 'mismatch'; fault: AnswerFault }
	| { kind: 'excess'; what: Excess };

export type KdfSaid =
	| { kind: 'said'; said: KdfAnswer }
	/** A result too large to pass along undecoded: read it again with kind `node`, see {@link KdfResultSaid}. */
	| { kind: 'large' }
	/** The answer has the id of another call. */
	| { kind: 'other-call' }
	| { kind: 'no-envelope' }
	| { kind: 'not-json' }
	| { kind: 'excess'; what: Excess };

export type ReadingOf<K extends Reading['kind']> = Extract<Reading, { kind: K }>;

/** Result type of each kind of reading. */
export interface Said {
	daemon: DaemonSaid;
	node: KdfResultSaid;
	'node-said': KdfSaid;
	id: Span | null;
	/** Null when the body is not an array. */
	batch: BatchAnswer[] | null;
}

/** Characters of an error message that are kept: a usage text of a daemon has some 6,000. */
const MOST_LETTERS = 16 * 1024;
/** Characters, on top of `MOST_LETTERS`, of the data of a trading node's error as JSON; longer data is dropped. */
const MOST_DATA = 1_000;
/** A result with more values than this is not passed between threads before it is decoded. */
const LARGE = 2_000;
/** A result with more values is not mended, because each round of mending reads all of them again. */
const MOST_MENDED = 20_000;

const cut = (words: string): string =>
	words.length > MOST_LETTERS ? `${words.slice(0, MOST_LETTERS)}…` : words;

const bufferOf = (bytes: Uint8Array): Buffer =>
	Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The mismatch of a result, with its place in the result. */
const mismatchAt = ({ params }: RpcError<'validation-mismatch'>) =>
	({ kind: 'mismatch', fault: { kind: 'result', place: params.place } }) as const;

function readDaemon(method: DaemonMethod, dialect: Dialect, body: Uint8Array): DaemonSaid {
	const { excess } = measureJson(body, daemonMethods[method].answer.values);
	if (excess !== null) return { kind: 'excess', what: excess };
	try {
		const envelope = readEnvelope({ body: bufferOf(body) });
		if (envelope.kind === 'error') return { ...envelope, message: cut(envelope.message) };
		try {
			const native = decodeResult(method, envelope.result, dialect);
			return { kind: 'result', native, written: null, leftOut: [] };
		} catch (error) {
			if (isRpcError(error, 'in-band-error'))
				return { kind: 'in-band', message: cut(error.params.text) };
			if (!isRpcError(error, 'validation-mismatch')) throw error;
			const native = decodeTolerantly(method, envelope.result, dialect);
			if (native === null) return mismatchAt(error);
			const written = asWritten(native) ?? envelope.result;
			return { kind: 'result', native, written, leftOut: leftOutOf(native) };
		}
	} catch (error) {
		if (!isAppError(error, 'answer.no-envelope')) throw error;
		return { kind: 'mismatch', fault: { kind: 'envelope', fault: error.params.fault } };
	}
}

/** Returns an error with its message and data limited in size. */
function bounded(said: KdfAnswer): KdfAnswer {
	if (said.kind === 'result') return said;
	const { type, message, data, place } = said.error;
	const length = data === undefined ? 0 : JSON.stringify(data).length;
	return {
		kind: 'error',
		error: {
			type: type === null ? null : type.slice(0, 100),
			message: cut(message),
			data: length > MOST_LETTERS + MOST_DATA ? undefined : data,
			...(place === undefined ? {} : { place: { path: cut(place.path), trace: cut(place.trace) } })
		}
	};
}

/** Whether a version 2 answer belongs to this call; an answer without an id does. */
function isTo(id: bigint | null, content: JsonValue): boolean {
	if (id === null || !isJsonObject(content) || !Object.hasOwn(content, 'mmrpc')) return true;
	const { id: named = null } = content;
	return named === null || (named instanceof JsonNumber && named.source === String(id));
}

type OneSaid = Exclude<KdfSaid, { kind: 'large' }>;

function saidBy(
	method: KdfMethod,
	id: bigint | null,
	body: Uint8Array
): { found: OneSaid; values: number } {
	const { answer, envelope } = kdfDefinition(method);
	const { values, excess } = measureJson(body, answer.values);
	if (excess !== null) return { found: { kind: 'excess', what: excess }, values };
	const content = readableJson(bufferOf(body).toString('utf8'), { maxDepth: null });
	if (content === undefined) return { found: { kind: 'not-json' }, values };
	const said = readKdfAnswer(content, envelope);
	if (said === null) return { found: { kind: 'no-envelope' }, values };
	if (!isTo(id, content)) return { found: { kind: 'other-call' }, values };
	return { found: { kind: 'said', said: bounded(said) }, values };
}

function readKdfSaid(method: KdfMethod, id: bigint | null, body: Uint8Array): KdfSaid {
	const { found, values } = saidBy(method, id, body);
	const large = found.kind === 'said' && found.said.kind === 'result' && values > LARGE;
	return large ? { kind: 'large' } : found;
}

/** Decodes the result of a trading node. `mended` reports whether it had to be mended, so that this can be counted. */
export function kdfResultOf(
	method: KdfMethod,
	dialect: KdfDialect,
	wire: JsonValue,
	mayMend = true
): KdfResultSaid {
	try {
		const { result, mended } = readKdfResult(method, wire, dialect, mayMend);
		const isMended = mended.length > 0;
		return {
			kind: 'result',
			native: result,
			mended: isMended,
			leftOut: isMended ? leftOutOf(result) : []
		};
	} catch (error) {
		if (!isRpcError(error, 'validation-mismatch')) throw error;
		return mismatchAt(error);
	}
}

function readKdf(method: KdfMethod, dialect: KdfDialect, body: Uint8Array): KdfResultSaid {
	const { found, values } = saidBy(method, null, body);
	if (found.kind === 'excess') return found;
	if (found.kind !== 'said' || found.said.kind !== 'result') {
		return { kind: 'mismatch', fault: { kind: 'envelope', fault: 'no-result' } };
	}
	return kdfResultOf(method, dialect, found.said.result, values <= MOST_MENDED);
}

/** Reads one answer. */
export function read<K extends Reading['kind']>(reading: ReadingOf<K>): Said[K];
export function read(reading: Reading): Said[keyof Said] {
	switch (reading.kind) {
		case 'daemon':
			return readDaemon(reading.method, reading.dialect, reading.body);
		case 'node':
			return readKdf(reading.method, reading.dialect, reading.body);
		case 'node-said':
			return readKdfSaid(reading.method, reading.id, reading.body);
		case 'id':
			return measureJson(reading.body, Infinity).id;
		case 'batch':
			return batchAnswers(reading.body);
	}
}
