/** Calls that a person makes in the console: checked by the policy, and added to the person's own history. */
import { consoleOutcomes, type PastOutcome } from '#lib/messages/consoleOutcomes.ts';
import { denialSentence, type Denial } from '#lib/messages/denials.ts';
import { inBandError } from '#lib/rpc/codec.ts';
import type { DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { DAEMON_ERROR_CODES } from '#lib/messages/daemonErrorCodes.ts';
import { isErrorCode } from '#lib/rpc/errorCodes.ts';
import { explainErrorText } from '#lib/messages/daemon-errors/index.ts';
import { isJsonObject, readableJson, JsonNumber } from '#lib/rpc/json.ts';
import type { Member } from '../../access/identity/identity.ts';
import type { CallBudget } from '../../access/calls/budget.ts';
import type { Kept } from '../../access/calls/judgeAgain.ts';
import type { Gateway } from '../../chains/daemon/types.ts';
import type { RawAnswer } from '../../chains/upstream/rawAnswer.ts';
import { makeDaemonCall, type DaemonCallParts, type MadeDaemonCall } from '../daemon/makeCall.ts';
import { keyedCalls, type OnceCall, type Trace } from '../http/onceCalls.ts';
import type { WhoNow } from '../http/whoNow.ts';
import { explained, fitsTree, frameOf } from './answered.ts';
import { definitionOf } from './catalogue.ts';
import type { ConsoleHistory } from './history.ts';
import { outcomeOnce } from './onceOutcome.ts';
import type { Answered, CallOutcome } from './outcome.ts';
import { treeOf } from './tree.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { explainDaemon } from '#lib/messages/errors/explainDaemon.ts';

export interface ConsoleParts extends DaemonCallParts {
	gateway: Gateway;
	budget: CallBudget;
	history: ConsoleHistory;
	/** Executes calls with an idempotency key at most once. */
	onceCall: OnceCall;
}

export interface ConsoleCall {
	method: DaemonMethod;
	daemon: string;
	/** JSON text of each parameter. */
	params: readonly string[];
	requestId: string;
	/** Idempotency key of the form: a call that changes something is executed once per key. */
	key?: string | undefined;
	/** Returns the current caller after the call has waited. */
	who: WhoNow;
}

export interface ConsoleCaller {
	call(identity: Member, call: ConsoleCall): Promise<CallOutcome>;
}

type Refused = Extract<CallOutcome, { kind: 'refused' }>;

type Shown = Pick<Answered, 'tree' | 'error' | 'failure'>;

/**
 * Reads a JSON-RPC response. For a body that is none, only the raw text is shown.
 * @param method null for one that the registry does not know, whose in-band errors are not recognized
 */
export function readAnswer(method: DaemonMethod | null, body: string): Shown {
	const nothing: Shown = { tree: null, error: null, failure: null };
	const envelope = readableJson(body);
	if (!isJsonObject(envelope)) return nothing;
	const { error, result } = envelope;
	if (error !== undefined && error !== null) {
		const { code, message } = isJsonObject(error) ? error : {};
		const digits = code instanceof JsonNumber ? code.source : '';
		const known = Number(digits);
		return {
			...nothing,
			error: {
				code: digits,
				message: typeof message === 'string' ? message.trim() : '',
				meaning: isErrorCode(known) ? DAEMON_ERROR_CODES[known] : null
			}
		};
	}
	if (result === undefined) return nothing;
	const failure = method === null ? null : inBandError(definitionOf(method), result);
	return { tree: treeOf(result), error: null, failure };
}

function explainedOf(
	method: DaemonMethod | null,
	{ error, failure }: Shown
): Answered['explained'] {
	if (error === null && failure === null) return null;
	return explained(explainErrorText(method, error?.message ?? failure ?? ''));
}

/**
 * Returns what the console displays of a daemon's response.
 * @param method null for one that the registry does not know
 * @param ms duration in milliseconds
 */
export function answered(method: DaemonMethod | null, answer: RawAnswer, ms: number): Answered {
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

/** Returns how a call that was answered ended, for the history. */
export function pastOutcome({ error, failure, status }: Answered): PastOutcome {
	if (error !== null) return { code: 'error', params: { error: error.code } };
	if (failure !== null) return { code: 'failed', params: { error: null } };
	return status === 200 ? { code: 'answered', params: {} } : { code: 'status', params: { status } };
}

/**
 * Returns what the console displays for a denied call; if it needs an approval, with the id of the request for
 * it.
 */
export function deniedOutcome(denial: Denial): Refused {
	const refused = { kind: 'refused', sentence: denialSentence(denial) } as const;
	return denial.code === 'policy' && denial.why.code === 'policy.needs-approval'
		? { ...refused, request: denial.why.params.request }
		: refused;
}

/** Returns what the console displays for a call that the daemon executed, and whose response is withheld. */
export const withheldOutcome = (why: Kept): CallOutcome =>
	why.kind === 'ended'
		? { kind: 'refused', sentence: consoleOutcomes.late, withheld: true }
		: { ...deniedOutcome(why.denial), withheld: true };

/** Creates the console's access to the daemons. */
export function createCaller(parts: ConsoleParts): ConsoleCaller {
	const { gateway, budget, history, onceCall } = parts;
	return {
		async call(identity, call) {
			const { key, method, daemon, params } = call;
			if (key === undefined || keyedCalls([call]) !== 'counts') {
				return carryOut(identity, call, { mayBeDone: false });
			}
			const text = JSON.stringify([method, params]);
			const request = { actor: identity.account.id, place: `console ${daemon}`, key, text };
			return outcomeOnce(onceCall, request, (trace) => carryOut(identity, call, trace));
		}
	};

	async function carryOut(
		identity: Member,
		{ method, daemon: daemonId, params, requestId, who }: ConsoleCall,
		trace: Trace
	): Promise<CallOutcome> {
		const daemon = gateway.daemon(daemonId);
		if (daemon === undefined) return { kind: 'refused', sentence: consoleOutcomes.noDaemon };
		const seconds = await budget.takeCalls(identity, 1);
		if (seconds !== null) return { kind: 'limited', seconds };
		const at = Date.now();
		const remember = (outcome: PastOutcome, ms: number): Promise<void> =>
			history.add(identity.account.id, {
				method,
				daemon: daemonId,
				at,
				ms,
				outcome,
				params: `[${params.join(',')}]`
			});
		const started = performance.now();
		let made: MadeDaemonCall;
		try {
			const origin = { requestId, console: true } as const;
			made = await makeDaemonCall(parts, who, daemon, { method, params }, origin, trace);
		} catch (error) {
			if (!isAppError(error, 'daemon')) throw error;
			trace.mayBeDone = error.params.delivery !== 'not-sent';
			const ms = performance.now() - started;
			await remember({ code: 'failed', params: { error: error.code } }, ms);
			return { kind: 'failed', ms, ...explainDaemon(error.coded) };
		}
		if (made.kind === 'ended') return { kind: 'refused', sentence: consoleOutcomes.ended };
		if (made.kind === 'denied') return deniedOutcome(made.denial);
		if (made.kind === 'withheld') {
			await remember({ code: 'held-back', params: {} }, made.ms);
			return withheldOutcome(made.why);
		}
		const outcome = answered(method, made.answer, made.ms);
		await remember(pastOutcome(outcome), outcome.ms);
		return outcome;
	}
}
