/** Calls of the RPC API that name themselves with an `Idempotency-Key`. */
import { rpcApi } from '#lib/messages/rpcApi.ts';
import { inBandError } from '#lib/rpc/codec.ts';
import { daemonMethods, type DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { holdsSecret } from '#lib/rpc/daemon/parameters.ts';
import { recognizeError } from '#lib/rpc/errors/index.ts';
import { changesNothing } from '#lib/rpc/method.ts';
import { kdfDefinition, type KdfMethod } from '#lib/rpc/kdf/index.ts';
import { mayAnswerSecrets, mayHoldSecrets } from '#lib/rpc/kdf/parameters.ts';
import { isInternal } from '../../chains/daemon/lookup.ts';
import { readEnvelope } from '../../chains/daemon/result.ts';
import type { RawAnswer } from '../../chains/daemon/types.ts';
import type { Answer } from '../../platform/idempotency/answer.ts';
import {
	fingerprintOfText,
	isKey,
	type Idempotency,
	type Once
} from '../../platform/idempotency/idempotency.ts';
import type { KeptAnswer } from '../../platform/idempotency/keptAnswer.ts';
import type { OpenBudget } from '../../platform/rate-limits/budgets.ts';
import { isAppError } from '../../platform/errors/appError.ts';

/** Header of requests. (draft-ietf-httpapi-idempotency-key-header) */
export const KEY_HEADER = 'idempotency-key';

/** Whether anything of a request may have been done by whom it was sent to. */
export interface Trace {
	mayBeDone: boolean;
}

/**
 * What a key is to calls: it counts; they change nothing, and are made anew; or it cannot be kept, because with it a
 * digest of a passphrase would be, or an answer that is a secret.
 */
export type Keyed = 'counts' | 'reads' | 'secret';

/** What a daemon is called with. */
interface Called {
	method: DaemonMethod;
	/** JSON texts. */
	params: readonly string[];
}

const keyed = (changes: boolean, secret: boolean): Keyed =>
	!changes ? 'reads' : secret ? 'secret' : 'counts';

export const keyedCalls = (calls: readonly Called[]): Keyed =>
	keyed(
		calls.some(({ method }) => !changesNothing(daemonMethods[method].access)),
		calls.some(({ method, params }) => holdsSecret(method, params))
	);

/** The same for calls of a trading node, whose parameters may hold a PIN, and whose answers are kept with the key. */
export const keyedKdfCalls = (methods: readonly KdfMethod[]): Keyed =>
	keyed(
		methods.some((method) => !changesNothing(kdfDefinition(method).access)),
		methods.some((method) => mayHoldSecrets(method) || mayAnswerSecrets(method))
	);

/** A longer answer is not looked into. */
const MOST_READ = 16 * 1024;

/** Whether what a call made is in the wallet of its daemon, which may send it later, although it was refused. */
const isKept = (method: DaemonMethod, message: string): boolean =>
	recognizeError(method, message)?.code === 'transactions.kept-by-wallet';

/** Whether a daemon may have acted on a call that it answered so: a refusal may be followed by another try. */
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

/** An answer that is longer is not kept; that there was one is. */
const MOST_KEPT = 16 * 1024;

/** What is kept of the answer of a request that may have done something. */
function kept({ status, headers, body }: Answer): KeptAnswer {
	const type = headers.filter(([name]) => name === 'content-type');
	if (body.length <= MOST_KEPT) {
		return { status, headers: type, body: new TextDecoder().decode(body) };
	}
	const message = rpcApi.lostAnswer;
	return {
		status: 409,
		headers: [['content-type', 'application/json']],
		body: `${JSON.stringify({ result: null, error: { code: -32603, message }, id: null })}\n`
	};
}

/** Requests with a key of one member or token within a day: each takes room in the database. */
const KEYED_PER_DAY = 10_000;

export interface KeyedRequest {
	/** The token with those that it replaced, or the member who has a session: keys of others are other ones. */
	actor: string;
	/** The daemon or trading node. */
	place: string;
	key: string;
	/** The body, every byte of it. */
	text: string;
}

type KeyedOutcome =
	| Once
	| { kind: 'bad-key' }
	/** Too many keys: nothing was done. */
	| { kind: 'limited'; seconds: number };

/**
 * Carries out requests that name themselves, each at most once.
 * @param open where keys are counted
 */
export function createOnceCalls(once: Idempotency, open: OpenBudget) {
	const budget = open('keys', KEYED_PER_DAY, 86_400);

	/** @param work answers, and says in the trace whether anything may have been done */
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
