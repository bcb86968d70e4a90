/** The RPC API to trading nodes: their own envelopes, with our policy before them. */
import { denialReason, type Denial } from '#lib/messages/denials.ts';
import { rpcApi } from '#lib/messages/rpcApi.ts';
import { jsonErrorMessage, kdfParamMessage } from '#lib/messages/rpcErrors.ts';
import { explainKdf } from '#lib/messages/explained/kdf.ts';
import { parseJson, stringifyJson, type JsonValue } from '#lib/rpc/json.ts';
import type { CallOrigin } from '../../access/policy/calls/authorizeCall.ts';
import type { KdfError, KdfErrorCode } from '../../kdf/client/kdfError.ts';
import { kdfDefinition } from '#lib/rpc/kdf/index.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { keyedKdfCalls, type Keyed, type Trace } from '../http/onceCalls.ts';
import type { WhoNow } from '../http/whoNow.ts';
import {
	invalid,
	MAX_DEPTH,
	readCall,
	written,
	type KdfAnswer,
	type KdfCall,
	type KdfRefusal,
	type Unread
} from './envelope.ts';
import { makeKdfCall, type KdfCallParts } from './makeCall.ts';
import { JSON_ERRORS, isRpcError } from '#lib/rpc/rpcError.ts';

/** What the caller is answered. */
type RequestAnswer = Omit<KdfAnswer, 'mayBeDone'>;

/** A request that was read, and nothing of it done yet. */
interface KdfRequest {
	/** Calls that it costs. */
	calls: number;
	/** What an `Idempotency-Key` is to it. */
	keyed: Keyed;
	/** Says in the trace whether the node may have acted: after each call of a batch, of which the next one may fail. */
	answer(node: string, who: WhoNow, origin: CallOrigin, trace: Trace): Promise<RequestAnswer>;
}

interface KdfProxy {
	/** @param maxBatch calls that a batch may hold */
	read(text: string, maxBatch: number): KdfRequest;
}

/** What scripts are told as `error_data` of our own failures. */
const DATA: Readonly<Record<KdfErrorCode, string>> = {
	'kdf.unknown': 'unknown-node',
	'kdf.unreachable': 'unreachable',
	'kdf.untrusted': 'untrusted',
	'kdf.timeout': 'timeout',
	'kdf.busy': 'busy',
	'kdf.truncated': 'truncated',
	'kdf.too-large': 'too-large',
	'kdf.not-kdf': 'not-a-node',
	'kdf.validation-mismatch': 'misfit',
	'kdf.rpc-error': 'refused',
	'kdf.password-refused': 'stopped',
	'kdf.local-only': 'elsewhere',
	'kdf.safety-control': 'switched-off',
	'kdf.invalid-params': 'bad-params'
};

/** Our own failure in the node's form; a status that a proxy would use tells it from the node's. */
function failureRefusal(error: KdfError): KdfRefusal {
	if (isAppError(error, 'kdf.invalid-params'))
		return invalid(kdfParamMessage(error.params.mismatch));
	const { what, safe } = explainKdf(error.coded);
	return {
		status: error.status,
		type: 'Gateway',
		message: `${what} ${safe}`,
		data: DATA[error.code]
	};
}

function denialRefusal(denial: Denial): KdfRefusal {
	const reason = denialReason(denial);
	switch (denial.code) {
		case 'limit':
			return { status: 429, type: 'Gateway', message: reason, data: 'limit' };
		case 'policy':
			return { status: 403, type: 'Gateway', message: reason, data: 'policy' };
		case 'safety':
			return { status: 503, type: 'Gateway', message: reason, data: 'switched-off' };
		default: {
			const message = `Method is not allowed: ${reason}`;
			return { status: 403, type: 'MethodNotAllowed', message, data: reason };
		}
	}
}

/** To a call of a request that is nobody's any more. */
const NOBODYS: KdfRefusal = { status: 401, type: 'UserpassIsInvalid', message: rpcApi.ended };

/** Of all answers of a batch together: as much as a node may answer to one call, several times. */
const MOST_BATCH_BYTES = 64 * 1024 * 1024;

/** To a call whose answer may not fit in beside those before it. */
const FULL: KdfRefusal = {
	status: 413,
	type: 'Gateway',
	message: rpcApi.batchFull,
	data: 'too-large'
};

/** The most bytes that an answer has. */
const mostOf = (call: KdfCall | Unread): number =>
	'refused' in call ? 0 : kdfDefinition(call.method).answer.bytes;

const keyedOf = (calls: readonly (KdfCall | Unread)[]): Keyed =>
	keyedKdfCalls(calls.flatMap((call) => ('refused' in call ? [] : [call.method])));

/** Builds the proxy to the trading nodes. */
export function createKdfProxy(parts: KdfCallParts): KdfProxy {
	async function answerCall(
		call: KdfCall | Unread,
		node: string,
		who: WhoNow,
		origin: CallOrigin,
		trace: Trace
	): Promise<RequestAnswer> {
		const answer = await madeCall(call, node, who, origin);
		trace.mayBeDone ||= answer.mayBeDone;
		return answer;
	}

	async function madeCall(
		call: KdfCall | Unread,
		node: string,
		who: WhoNow,
		origin: CallOrigin
	): Promise<KdfAnswer> {
		const { shape } = call;
		if ('refused' in call) return written(call.refused, shape);
		const made = await makeKdfCall(parts, who, node, call, origin);
		switch (made.kind) {
			case 'ended':
				return written(NOBODYS, shape);
			case 'denied':
				return written(denialRefusal(made.denial), shape);
			case 'mismatch':
				return written(invalid(made.words), shape);
			case 'failed':
				return written(
					failureRefusal(made.error),
					shape,
					made.error.params.delivery !== 'not-sent'
				);
			case 'answered': {
				const { status, body } = made.answer;
				// Whatever is not what was asked for may be asked for again.
				return { status, body, mayBeDone: status === 200 };
			}
		}
	}

	const refused = (answer: RequestAnswer): KdfRequest => ({
		calls: 1,
		keyed: 'reads',
		answer: () => Promise.resolve(answer)
	});

	return {
		read(text, maxBatch) {
			let body: JsonValue;
			try {
				body = parseJson(text, { maxDepth: MAX_DEPTH });
			} catch (error) {
				if (!isRpcError(error, ...JSON_ERRORS)) throw error;
				const words = stringifyJson({ error: jsonErrorMessage(error) });
				return refused({ status: 500, body: words });
			}
			if (!Array.isArray(body)) {
				const call = readCall(body);
				return {
					calls: 1,
					keyed: keyedOf([call]),
					answer: (node, who, origin, trace) => answerCall(call, node, who, origin, trace)
				};
			}
			const items = body as readonly JsonValue[];
			if (items.length > maxBatch) {
				const most = invalid(`a batch may hold at most ${maxBatch} calls`);
				return { ...refused(written(most, { form: 'v2', id: null })), calls: items.length };
			}
			const calls = items.map(readCall);
			return {
				calls: calls.length,
				keyed: keyedOf(calls),
				async answer(node, who, origin, trace) {
					// One by one: a node counts wrong passwords of a batch singly, and refusals here must not stop the others.
					const pieces: Buffer[] = [Buffer.from('[')];
					let bytes = 0;
					for (const [at, call] of calls.entries()) {
						const isFull = bytes + mostOf(call) > MOST_BATCH_BYTES;
						const { body } = isFull
							? written(FULL, call.shape)
							: await answerCall(call, node, who, origin, trace);
						const piece = typeof body === 'string' ? Buffer.from(body) : body;
						bytes += piece.length;
						pieces.push(Buffer.from(at === 0 ? '' : ','), piece);
					}
					return { status: 200, body: Buffer.concat([...pieces, Buffer.from(']')]) };
				}
			};
		}
	};
}
