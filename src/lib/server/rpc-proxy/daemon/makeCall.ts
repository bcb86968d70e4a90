/**
 * One call to a daemon for a person or a script: authorized, sent, recorded, and its signed transactions
 * checked before they are returned.
 */
import type { Denial } from '#lib/messages/denials.ts';
import type { DaemonMethod } from '#lib/rpc/daemon/index.ts';
import type { CallPolicy, CallOrigin } from '../../access/calls/authorizeCall.ts';
import { judgedBeforeSend, judgedRead, type Kept } from '../../access/calls/judgeAgain.ts';
import { daemonDemands } from '../../access/calls/demands.ts';
import { giveBackUnsent } from '../../access/calls/giveBackUnsent.ts';
import type { ReleaseAnswer } from '../../access/calls/releaseAnswer.ts';
import { encodeDialect } from '../../chains/daemon/encodeDialect.ts';
import type { DaemonInfo, Gateway } from '../../chains/daemon/types.ts';
import type { RawAnswer } from '../../chains/upstream/rawAnswer.ts';
import type { AuditEntry } from '../../platform/audit-trail/entry.ts';
import { databaseErrorKind } from '../../platform/database/databaseError.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { mayHaveActed, type Trace } from '../http/onceCalls.ts';
import type { WhoNow } from '../http/whoNow.ts';
import { composedSend, composedTxid } from './composedSends.ts';

export interface DaemonCallParts {
	gateway: Pick<Gateway, 'proxy'>;
	policy: CallPolicy;
	releaseAnswer: ReleaseAnswer;
	/** Records what a daemon has done; does not fail when the database is unavailable. */
	audit: { append(entry: AuditEntry): Promise<void> };
}

interface DaemonCall {
	method: DaemonMethod;
	/** JSON texts. */
	params: readonly string[];
}

export type MadeDaemonCall =
	/** Nothing was sent. */
	| { kind: 'denied'; denial: Denial }
	/** Nothing was sent: the caller's credential is no longer valid. */
	| { kind: 'ended' }
	/** The daemon executed the call, but its response must not be returned. */
	| { kind: 'withheld'; why: Kept; ms: number }
	| { kind: 'answered'; answer: RawAnswer; ms: number };

/** @throws {AppError} `daemon` when there is no response to return */
export async function makeDaemonCall(
	{ gateway, policy, releaseAnswer, audit }: DaemonCallParts,
	who: WhoNow,
	daemon: DaemonInfo,
	call: DaemonCall,
	origin: CallOrigin,
	trace: Trace
): Promise<MadeDaemonCall> {
	const { method, params } = call;
	const identity = await who();
	if (identity === null) return { kind: 'ended' };
	const demands = daemonDemands(daemon, method, params);
	const decision = await policy.authorizeCall(identity, demands, origin);
	if (decision.denial !== null) return { kind: 'denied', denial: decision.denial };
	const started = performance.now();
	const text = encodeDialect(method, params, daemon.dialect);
	trace.mayBeDone = true;
	const { requestId } = origin;
	const { beforeSend, kept } = judgedBeforeSend(policy, who, demands);
	let answer: RawAnswer;
	try {
		answer = await gateway
			.proxy(daemon.id, method, text, { requestId, authorized: true, beforeSend })
			.catch((error: unknown) => giveBackUnsent(decision.giveBack, error));
	} catch (error) {
		// The caller could not be looked up: the call was not sent.
		if (databaseErrorKind(error) !== null) trace.mayBeDone = false;
		if (!isAppError(error, 'queue.kept')) throw error;
		trace.mayBeDone = false;
		return kept();
	}
	const ms = performance.now() - started;
	trace.mayBeDone = mayHaveActed(method, answer);
	const txid = composedTxid(method, answer.body);
	if (txid !== null) await audit.append(composedSend(method, txid, identity, daemon));
	const judged = judgedRead(policy, identity, who, demands);
	const lost = judged instanceof Promise ? await judged : judged;
	if (lost !== null) return { kind: 'withheld', why: lost, ms };
	const held = await releaseAnswer(identity, who, daemon, [call], () =>
		answer.body.toString('utf8')
	);
	if (held === null) return { kind: 'answered', answer, ms };
	// Only bytes that were not sent are held back, so the call had no effect.
	trace.mayBeDone = false;
	return { kind: 'withheld', why: held, ms };
}
