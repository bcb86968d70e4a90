/** The RPC API to trading nodes: accepts and returns their own envelopes, after Komodeck's policy has decided. */
import { denialReason, type Denial } from '#lib/messages/denials.ts';
import { rpcApi } from '#lib/messages/rpcApi.ts';
import { jsonErrorMessage, kdfParamMessage } from '#lib/messages/rpcErrors.ts';
import { explainKdf } from '#lib/messages/explained/kdf.ts';
import { parseJson, stringifyJson, type JsonValue } from '#lib/rpc/json.ts';
import type { CallOrigin } from '../../access/calls/authorizeCall.ts';
import type { KdfError, KdfErrorCode } from '../../kdf/client/kdfError.ts';
import { kdfDefinition } from '#lib/rpc/kdf/index.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { keyedKdfCalls, type Keyed, type Trace } from '../http/onceCalls.ts';
import type { Growing } from '../http/heldAnswers.ts';
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

/** The response to one call. */
type CallAnswer = Omit<KdfAnswer, 'mayBeDone'>;

/** The response to the caller. */
interface RequestAnswer {
	status: number;
	body: string | readonly Buffer[];
}

/** What is known of a request while it is executed. */
interface Progress {
	/** Updated after each call of a batch, because a later call may throw. */
	trace: Trace;
	/** Counts the answers of a batch. */
	growing: Pick<Growing, 'isFull' | 'add'>;
}

/** A request that was parsed but not executed yet. */
interface KdfRequest {
	/** Calls that it takes from the caller's budget. */
	calls: number;
	/** How an `Idempotency-Key` applies to it. */
	keyed: Keyed;
	/** Executes the request. */
	answer(node: string, who: WhoNow, origin: CallOrigin, progress: Progress): Promise<RequestAnswer>;
}

interface KdfProxy {
	/** @param maxBatch maximum number of calls in a batch */
	read(text: string, maxBatch: number): KdfRequest;
}

/** `error_data` of Komodeck's own failures, for scripts. */
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
	'kdf.password-replaced': 'password-replaced',
	'kdf.password-unreadable': 'password-unreadable',
	'kdf.local-only': 'elsewhere',
	'kdf.safety-control': 'switched-off',
	'kdf.invalid-params': 'bad-params'
};

/**
 * Reports Komodeck's own failure in the node's format; its status is one of a proxy, to distinguish it from the
 * node's.
 */
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

/** Refuses a call whose caller no longer has a valid credential. */
const NOBODYS: KdfRefusal = { status: 401, type: 'UserpassIsInvalid', message: rpcApi.ended };

/** Limit of all responses of a batch together: several times the maximum of a single response. */
const MOST_BATCH_BYTES = 64 * 1024 * 1024;

/** Refuses a call whose response may not fit within that limit. */
const FULL: KdfRefusal = {
	status: 413,
	type: 'Gateway',
	message: rpcApi.batchFull,
	data: 'too-large'
};

/** Refuses a call, or drops its answer, while all responses of the caller together are too long. */
const HELD: KdfRefusal = { ...FULL, message: rpcApi.batchHeld };

/** Returns the maximum length of a response in bytes. */
const mostOf = (call: KdfCall | Unread): number =>
	'refused' in call ? 0 : kdfDefinition(call.method).answer.bytes;

const keyedOf = (calls: readonly (KdfCall | Unread)[]): Keyed =>
	keyedKdfCalls(calls.flatMap((call) => ('refused' in call ? [] : [call.method])));

/** Creates the proxy to the trading nodes. */
export function createKdfProxy(parts: KdfCallParts): KdfProxy {
	async function answerCall(
		call: KdfCall | Unread,
		node: string,
		who: WhoNow,
		origin: CallOrigin,
		trace: Trace
	): Promise<CallAnswer> {
		const answer = await madeCall(call, node, who, origin);
		trace.mayBeDone ||= answer.mayBeDone && keyedOf([call]) !== 'reads';
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
				// Any other status than 200 means that the call may be repeated.
				return { status, body, mayBeDone: status === 200 };
			}
		}
	}

	/** Answers a call of a batch within the limit of all responses of the caller. */
	async function countedCall(
		call: KdfCall | Unread,
		node: string,
		who: WhoNow,
		origin: CallOrigin,
		{ trace, growing }: Progress
	): Promise<CallAnswer> {
		if (growing.isFull()) return written(HELD, call.shape);
		const answer = await answerCall(call, node, who, origin, trace);
		const { body } = answer;
		// Komodeck's own refusals are short.
		if (typeof body === 'string') return answer;
		const isRefusable = keyedOf([call]) === 'reads';
		return growing.add(body.length, isRefusable) ? answer : written(HELD, call.shape);
	}

	const whole = ({ status, body }: CallAnswer): RequestAnswer => ({
		status,
		body: typeof body === 'string' ? body : [body]
	});

	const refused = (answer: CallAnswer): KdfRequest => ({
		calls: 1,
		keyed: 'reads',
		answer: () => Promise.resolve(whole(answer))
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
					answer: async (node, who, origin, { trace }) =>
						whole(await answerCall(call, node, who, origin, trace))
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
				async answer(node, who, origin, progress) {
					// One by one: the node counts each wrong password of a batch, and a refusal here must not
					// stop the other calls.
					const pieces: Buffer[] = [Buffer.from('[')];
					let bytes = 0;
					for (const [at, call] of calls.entries()) {
						const isFull = bytes + mostOf(call) > MOST_BATCH_BYTES;
						const { body } = isFull
							? written(FULL, call.shape)
							: await countedCall(call, node, who, origin, progress);
						const piece = typeof body === 'string' ? Buffer.from(body) : body;
						bytes += piece.length;
						pieces.push(Buffer.from(at === 0 ? '' : ','), piece);
					}
					pieces.push(Buffer.from(']'));
					return { status: 200, body: pieces };
				}
			};
		}
	};
}
