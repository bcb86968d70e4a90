/** Calls of the RPC API with an `Idempotency-Key`. */
import { rpcApi } from '#lib/messages/rpcApi.ts';
import { inBandError } from '#lib/rpc/codec.ts';
import { daemonMethods, type DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { holdsSecret } from '#lib/rpc/daemon/parameters.ts';
import { RPC_INTERNAL_ERROR } from '#lib/rpc/errorCodes.ts';
import { recognizeError } from '#lib/rpc/errors/index.ts';
import { changesNothing } from '#lib/rpc/method.ts';
import { kdfDefinition, type KdfMethod } from '#lib/rpc/kdf/index.ts';
import { mayAnswerSecrets, mayHoldSecrets } from '#lib/rpc/kdf/parameters.ts';
import { isInternal } from '../../chains/daemon/internalError.ts';
import { readEnvelope } from '../../chains/upstream/result.ts';
import type { RawAnswer } from '../../chains/upstream/rawAnswer.ts';
import type { Answer } from '../../platform/idempotency/answer.ts';
import {
	fingerprintOfText,
	isKey,
	type Idempotency,
	type Once
} from '../../platform/idempotency/idempotency.ts';
import type { StoredResponse } from '../../platform/idempotency/storedResponse.ts';
import type { OpenBudget } from '../../platform/rate-limits/budgets.ts';
import { isAppError } from '../../platform/errors/appError.ts';

/** Request header. (draft-ietf-httpapi-idempotency-key-header) */
export const KEY_HEADER = 'idempotency-key';

/** Records whether the upstream may have acted on any part of a request. */
export interface Trace {
	mayBeDone: boolean;
}

/**
 * How an idempotency key applies to calls: it `counts`; calls that only read are repeated instead; with
 * `secret` it cannot be stored, because that would store a digest of a passphrase, or a secret response.
 */
export type Keyed = 'counts' | 'reads' | 'secret';

/** A call to a daemon. */
interface Called {
	method: DaemonMethod;
	/** JSON texts. */
	params: readonly string[];
}

const keyed = (changes: boolean, secret: boolean): Keyed =>
	!changes ? 'reads' : secret ? 'secret' : 'counts';

/** Returns what an Idempotency-Key means for calls to a daemon. */
export const keyedCalls = (calls: readonly Called[]): Keyed =>
	keyed(
		calls.some(({ method }) => !changesNothing(daemonMethods[method].access)),
		calls.some(({ method, params }) => holdsSecret(method, params))
	);

/** The same for calls to a trading node: parameters may hold a PIN, and responses are stored with the key. */
export const keyedKdfCalls = (methods: readonly KdfMethod[]): Keyed =>
	keyed(
		methods.some((method) => !changesNothing(kdfDefinition(method).access)),
		methods.some((method) => mayHoldSecrets(method) || mayAnswerSecrets(method))
	);

/** Longer responses are not parsed. */
const MOST_READ = 16 * 1024;

/** Whether the daemon's wallet has kept a transaction that was refused, and may send it later. */
const isKept = (method: DaemonMethod, message: string): boolean =>
	recognizeError(method, message)?.code === 'transactions.kept-by-wallet';

/** Whether a daemon may have acted on a call, judging by its response: after a refusal the call may be repeated. */
export function mayHaveActed(method: DaemonMethod, answer: RawAnswer): boolean {
	if (changesNothing(daemonMethods[method].access)) return false;
	if (answer.body.length > MOST_READ) return true;
	try {
		const said = readEnvelope(answer);
		if (said.kind === 'error') return isInternal(said.code) || isKept(method, said.message);
		return inBandError(daemonMethods[method], said.result) === null;
	} catch (error) {
		if (isAppError(error, 'answer.no-envelope')) return true;
		throw error;
	}
}

/** Longer responses are not stored, only the fact that there was one. */
const MOST_KEPT = 16 * 1024;

/** Returns what to store of the response to a request that may have had an effect. */
function kept({ status, headers, body }: Answer): StoredResponse {
	const type = headers.filter(([name]) => name === 'content-type');
	if (body.length <= MOST_KEPT) {
		return { status, headers: type, body: new TextDecoder().decode(body) };
	}
	const message = rpcApi.lostAnswer;
	return {
		status: 409,
		headers: [['content-type', 'application/json']],
		body: `${JSON.stringify({ result: null, error: { code: RPC_INTERNAL_ERROR, message }, id: null })}\n`
	};
}

/** Limit of keyed requests per member or token and day: each takes space in the database. */
const KEYED_PER_DAY = 10_000;

export interface KeyedRequest {
	/**
	 * The token together with those it replaced, or the member with a session: keys of different actors are
	 * separate.
	 */
	actor: string;
	/** The daemon or trading node. */
	place: string;
	key: string;
	/** The complete body. */
	text: string;
}

type KeyedOutcome =
	| Once
	| { kind: 'bad-key' }
	/** Too many keys: nothing was executed. */
	| { kind: 'limited'; seconds: number };

/**
 * Executes requests with an idempotency key at most once.
 * @param open opens the budget that counts keys
 */
export function createOnceCalls(once: Idempotency, open: OpenBudget) {
	const budget = open('keys', KEYED_PER_DAY, 86_400);

	/** @param work produces the response, and notes in the trace whether anything may have been done */
	return async function onceCall(
		{ actor, place, key, text }: KeyedRequest,
		work: (trace: Trace) => Promise<Answer>
	): Promise<KeyedOutcome> {
		if (!isKey(key)) return { kind: 'bad-key' };
		const seconds = await budget.take(actor, 1);
		if (seconds !== null) return { kind: 'limited', seconds };
		const trace: Trace = { mayBeDone: false };
		return once(
			{ actor, route: `rpc ${place}`, key, fingerprint: fingerprintOfText(text) },
			() => work(trace),
			{ keep: (answer) => (trace.mayBeDone ? kept(answer) : null), atMostOnce: true }
		);
	};
}

export type OnceCall = ReturnType<typeof createOnceCalls>;
