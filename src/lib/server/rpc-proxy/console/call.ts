/** One call of a person by the console: the door's policy before it, the person's own history behind it. */
import { softFailure } from '#lib/rpc/codec.ts';
import type { DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { ERROR_CODES } from '#lib/rpc/envelope.ts';
import { explainErrorText } from '#lib/rpc/errors/index.ts';
import { isJsonObject, JsonError, JsonNumber, parseJson, type JsonValue } from '#lib/rpc/json.ts';
import { changesNothing, type Stoppable } from '#lib/rpc/method.ts';
import { callFacts } from '../../access/audit/callFacts.ts';
import type { Refusals, RefusedWhy } from '../../access/audit/refusals.ts';
import type { Identity } from '../../access/policy/identity.ts';
import type { Rights } from '../../access/policy/limits/rights.ts';
import { explainUpstream } from '../../chains/daemon/explain.ts';
import { respell } from '../../chains/daemon/respell.ts';
import { hashTypeRefusal, signatureRefusal } from '../../chains/daemon/signatures.ts';
import { UpstreamError, type Gateway, type RawAnswer } from '../../chains/daemon/types.ts';
import type { AuditEntry } from '../../platform/audit-trail/entry.ts';
import { composedSend, composedTxid } from '../daemon/composedSends.ts';
import { objection, type CallBudget } from '../daemon/door.ts';
import { areKeyed, mayHaveActed, type OnceCall, type Trace } from '../http/onceCalls.ts';
import { explained, fitsTree, frameOf } from './answered.ts';
import { secondsToWait } from './budget.ts';
import { definitionOf } from './catalogue.ts';
import type { ConsoleHistory } from './history.ts';
import { outcomeOnce } from './onceOutcome.ts';
import type { Answered, CallOutcome } from './outcome.ts';
import { treeOf } from './tree.ts';

type Known = Exclude<Identity, { via: 'public' }>;

export interface ConsoleParts {
	gateway: Gateway;
	/** Keeps a call that can change something on record, before it goes out. */
	audit: { append(entry: AuditEntry): Promise<void> };
	budget: CallBudget;
	history: ConsoleHistory;
	/** Why calls of such a method are switched off now; null when they are not. */
	refusal: (method: Stoppable) => Promise<string | null>;
	/** Keeps on record what somebody may not call. */
	refusals: Pick<Refusals, 'refused'>;
	/** Whose wallet it is, and how much of the day is left. */
	rights: Pick<Rights, 'walletRefusal' | 'callRefusal' | 'answerRefusal'>;
	/** Makes calls that name themselves at most once. */
	onceCall: OnceCall;
}

export interface ConsoleCall {
	method: DaemonMethod;
	daemon: string;
	/** JSON text of each parameter. */
	params: readonly string[];
	requestId: string;
	/** Of the form: what changes something is called once for each. */
	key?: string | undefined;
}

export interface ConsoleCaller {
	call(identity: Known, call: ConsoleCall): Promise<CallOutcome>;
}

type Shown = Pick<Answered, 'tree' | 'error' | 'failure'>;

/** What a JSON-RPC answer says; a body that is none has nothing but its raw text. */
export function readAnswer(method: DaemonMethod, body: string): Shown {
	const nothing: Shown = { tree: null, error: null, failure: null };
	let envelope: JsonValue;
	try {
		envelope = parseJson(body);
	} catch (error) {
		if (!(error instanceof JsonError)) throw error;
		return nothing;
	}
	if (!isJsonObject(envelope)) return nothing;
	const { error, result } = envelope;
	if (error !== undefined && error !== null) {
		const { code, message } = isJsonObject(error) ? error : {};
		const digits = code instanceof JsonNumber ? code.source : '';
		return {
			...nothing,
			error: {
				code: digits,
				message: typeof message === 'string' ? message.trim() : '',
				meaning: ERROR_CODES.get(Number(digits)) ?? null
			}
		};
	}
	if (result === undefined) return nothing;
	return { tree: treeOf(result), error: null, failure: softFailure(definitionOf(method), result) };
}

function explainedOf(method: DaemonMethod, { error, failure }: Shown): Answered['explained'] {
	if (error === null && failure === null) return null;
	return explained(explainErrorText(method, error?.message ?? failure ?? ''));
}

function answered(method: DaemonMethod, answer: RawAnswer, ms: number): Answered {
	const { status, body } = answer;
	const text = body.toString('utf8');
	const shown: Shown = fitsTree(body)
		? readAnswer(method, text)
		: { tree: null, error: null, failure: null };
	return {
		...frameOf({ status, bytes: body.length }, text, ms),
		...shown,
		explained: explainedOf(method, shown)
	};
}

function outcomeWord(outcome: Answered): string {
	if (outcome.error !== null) return `error ${outcome.error.code}`.trim();
	if (outcome.failure !== null) return 'failed';
	return outcome.status === 200 ? 'answered' : `status ${outcome.status}`;
}

/** Builds the console's way to the daemons. */
export function createCaller({
	gateway,
	audit,
	budget,
	history,
	refusal,
	refusals,
	rights,
	onceCall
}: ConsoleParts): ConsoleCaller {
	return {
		async call(identity, call) {
			const { key, method, daemon, params } = call;
			if (key === undefined || !areKeyed([method])) {
				return carryOut(identity, call, { mayBeDone: false });
			}
			const text = JSON.stringify([method, params]);
			const request = { actor: identity.account.id, place: `console ${daemon}`, key, text };
			return outcomeOnce(onceCall, request, (trace) => carryOut(identity, call, trace));
		}
	};

	async function carryOut(
		identity: Known,
		{ method, daemon: daemonId, params, requestId }: ConsoleCall,
		trace: Trace
	): Promise<CallOutcome> {
		const no = objection(identity, daemonId, method, 'null');
		if (no !== null) {
			const { why = 'role', reason = no.message } = no.denied ?? {};
			const act = { where: 'call', why, what: method, place: daemonId, reason } as const;
			await refusals.refused(identity, act);
			return { kind: 'refused', sentence: 'Your role may not call this method.' };
		}
		const daemon = gateway.daemon(daemonId);
		if (daemon === undefined) return { kind: 'refused', sentence: 'There is no such daemon.' };
		const seconds = await secondsToWait(budget, identity.account.id);
		if (seconds > 0) return { kind: 'limited', seconds };
		const { access } = definitionOf(method);
		const stop = async (why: RefusedWhy, reason: string): Promise<CallOutcome> => {
			const facts = callFacts(method, params);
			const act = { where: 'call', why, what: method, place: daemonId, reason, facts } as const;
			await refusals.refused(identity, act);
			return { kind: 'refused', sentence: reason };
		};
		if (!changesNothing(access)) {
			const { name } = identity.account;
			const off = await refusal(definitionOf(method));
			if (off !== null) return stop('safety', `${off}.`);
			const partly = hashTypeRefusal(method, params);
			if (partly !== null) return stop('signature', partly);
			const foreign = await rights.walletRefusal(name, daemonId);
			if (foreign !== null) return stop('wallet', foreign);
			const over = await rights.callRefusal(name, daemon, { method, params });
			if (over !== null) return stop('limit', over);
			await audit.append({
				actor: identity.account.name,
				action: `rpc.${method}`,
				target: daemonId,
				detail: {
					...callFacts(method, params),
					access,
					via: identity.via,
					...(identity.via === 'token' ? { tokenId: identity.token.id } : {}),
					requestId,
					console: true
				}
			});
		}
		const at = Date.now();
		const started = performance.now();
		const elapsed = (): number => performance.now() - started;
		const remember = (outcome: string, ms: number): Promise<void> =>
			history.add(identity.account.id, {
				method,
				daemon: daemonId,
				at,
				ms,
				outcome,
				params: `[${params.join(',')}]`
			});
		try {
			const text = respell(method, params, daemon.dialect);
			trace.mayBeDone = true;
			const answer = await gateway.forward(daemonId, method, text, { requestId });
			trace.mayBeDone = mayHaveActed(method, answer);
			const said = answer.body.toString('utf8');
			const txid = composedTxid(method, said);
			if (txid !== null) await audit.append(composedSend(method, txid, identity, daemon));
			if (definitionOf(method).signs) {
				const partly = await signatureRefusal(gateway, daemonId, [method], params.join('\n'), said);
				const held = partly ?? (await rights.answerRefusal(identity.account.name, daemon, said));
				if (held !== null) {
					await remember('held back', elapsed());
					return await stop(partly === null ? 'limit' : 'signature', held);
				}
			}
			const outcome = answered(method, answer, elapsed());
			await remember(outcomeWord(outcome), outcome.ms);
			return outcome;
		} catch (error) {
			if (!(error instanceof UpstreamError)) throw error;
			trace.mayBeDone = error.reached !== 'no';
			const ms = elapsed();
			await remember(error.code, ms);
			return { kind: 'failed', ms, ...explainUpstream(error) };
		}
	}
}
