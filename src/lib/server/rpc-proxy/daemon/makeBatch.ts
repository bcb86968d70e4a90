/** A batch of calls to a daemon: each call is judged separately, and refused calls do not hold back the others. */
import { rpcApi } from '#lib/messages/rpcApi.ts';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { daemonMethods, isDaemonMethod, type DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { RPC_INTERNAL_ERROR, RPC_IN_WARMUP, RPC_METHOD_NOT_FOUND } from '#lib/rpc/errorCodes.ts';
import { actsOutside, changesNothing, returnsUnsent } from '#lib/rpc/method.ts';
import type { CallOrigin } from '../../access/calls/authorizeCall.ts';
import type { GiveBack } from '../../access/calls/countSpend.ts';
import type { Member } from '../../access/identity/identity.ts';
import { daemonDemands, type CallDemands } from '../../access/calls/demands.ts';
import { giveBackUnsent } from '../../access/calls/giveBackUnsent.ts';
import { isWarmUpRefusal } from '../../chains/upstream/answer.ts';
import { daemonError } from '../../chains/daemon/daemonError.ts';
import { encodeDialect } from '../../chains/daemon/encodeDialect.ts';
import { hexOfAnswer, signedHex } from '../../chains/daemon/signatures.ts';
import type { DaemonInfo, Gateway } from '../../chains/daemon/types.ts';
import type { RawAnswer } from '../../chains/upstream/rawAnswer.ts';
import type { Trace } from '../http/onceCalls.ts';
import { errorLine, refusal, type RpcRefusal } from '../http/refusal.ts';
import type { Reply } from '../http/reply.ts';
import type { WhoNow } from '../http/whoNow.ts';
import { placed, type PlacedAnswers } from './answers.ts';
import { composedSend, composedTxid, composes } from './composedSends.ts';
import { lostReads } from './lostReads.ts';
import type { DaemonCallParts } from './makeCall.ts';
import { denialRefusal, failureRefusal, keptRefusal, nobodys } from './refusals.ts';
import type { RpcCall, RpcItem } from './requestBody.ts';
import { databaseErrorKind } from '../../platform/database/databaseError.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';

interface AllowedCall extends RpcCall {
	method: DaemonMethod;
	demands: CallDemands;
	/** Reverts what the policy counted for the call. */
	giveBack: GiveBack;
}

/** Refusal for a method that the registry does not have. */
export const unknownMethod = (idText: string): RpcRefusal =>
	refusal(404, RPC_METHOD_NOT_FOUND, 'Method not found', idText);

const JSON_TYPE = 'application/json';

/**
 * Judges the calls of a batch, sends the allowed ones to the daemon in one request, and replies with a line for each
 * call, refusals and failures of the daemon included.
 * @throws what looking up and recording throw, such as errors of the database; `trace` then says whether a call may have
 * been executed
 */
export async function makeDaemonBatch(
	parts: DaemonCallParts & { gateway: Pick<Gateway, 'proxyBatch'> },
	who: WhoNow,
	daemon: DaemonInfo,
	items: readonly RpcItem[],
	origin: CallOrigin,
	{ reply, trace }: { reply: Reply; trace: Trace }
): Promise<void> {
	const judged: (AllowedCall | RpcRefusal)[] = [];
	const isAllowed = (item: AllowedCall | RpcRefusal): item is AllowedCall => item.kind === 'call';
	const giveAllBack = async (): Promise<void> => {
		for (const { giveBack } of judged.filter(isAllowed)) await giveBack();
	};
	const first = await who();
	let identity: Member | null;
	/**
	 * Judges the allowed calls again by the caller's present rights. @returns whether any of them is now
	 * refused
	 */
	const judgeAllAgain = async (): Promise<boolean> => {
		let isAnyKept = false;
		for (const [at, item] of judged.entries()) {
			if (!isAllowed(item)) continue;
			const now = await judgeAgain(parts, identity, item);
			judged[at] = now;
			isAnyKept ||= !isAllowed(now);
		}
		return isAnyKept;
	};
	try {
		for (const item of items) {
			// SQLite answers within the same turn of the event loop: yield to other requests in between.
			if (judged.length > 0) await othersTurn();
			judged.push(await judge(parts, await who(), daemon, item, origin));
		}
		identity = await who();
		// While calls were judged, a token may have been revoked, or a role or a wallet taken away.
		if (identity !== first) await judgeAllAgain();
	} catch (error) {
		// No call of the batch is sent in this case.
		await giveAllBack();
		throw error;
	}
	/** Sends one line per call, refusals included. */
	const answerAll = (lineOf: (call: AllowedCall) => string | Buffer): void => {
		const lines = judged.flatMap((item, at) => [
			Buffer.from(at === 0 ? '' : ','),
			Buffer.from(item.kind === 'refusal' ? errorLine(item) : lineOf(item))
		]);
		reply(200, JSON_TYPE, [Buffer.from('['), ...lines, Buffer.from(']\n')]);
	};
	/** The caller's rights may also change while the batch waits in the queue. */
	const beforeSend = async (): Promise<void> => {
		const now = await who();
		if (now === identity) return;
		identity = now;
		if (await judgeAllAgain()) throw new AppError('queue.kept');
	};
	const send = async (allowed: readonly AllowedCall[]): Promise<RawAnswer | null> => {
		const calls = allowed.map(({ method, params, idText }) => ({
			method,
			paramsText: encodeDialect(method, params, daemon.dialect),
			idText
		}));
		const { requestId } = origin;
		// A safety control may have been turned on while further calls were judged, so such a batch is checked
		// again.
		const authorized = items.length === 1 && { authorized: true as const };
		try {
			return await parts.gateway.proxyBatch(daemon.id, calls, {
				requestId,
				beforeSend,
				...authorized
			});
		} catch (error) {
			if (isAppError(error, 'queue.kept')) return null;
			// The caller could not be looked up: nothing was sent.
			if (databaseErrorKind(error) !== null) trace.mayBeDone = false;
			return giveBackUnsent(giveAllBack, error);
		}
	};
	try {
		let allowed = judged.filter(isAllowed);
		let answer: RawAnswer | null = null;
		// The loop ends, because each failed attempt leaves fewer allowed calls.
		while (answer === null) {
			allowed = judged.filter(isAllowed);
			if (identity === null || allowed.length === 0) return answerAll(() => '');
			trace.mayBeDone = true;
			answer = await send(allowed);
			trace.mayBeDone = answer !== null;
		}
		const caller = identity!;
		const { body } = answer;
		const isWhole = allowed.length === judged.length || !isArray(body);
		const isStarting = body.includes(`${RPC_IN_WARMUP}`) && allowed.some(canChange);
		const early =
			isWhole && !isStarting && !allowed.some(isReadAlone) ? UNCUT : await cut(allowed, body);
		const unsent = allowed.filter((_, at) => {
			const line = early.answers[at];
			return line !== undefined && isWarmUpRefusal(line);
		});
		for (const { giveBack } of unsent) await giveBack();
		trace.mayBeDone = allowed.some((call) => canChange(call) && !unsent.includes(call));
		await recordComposed(parts, caller, daemon, allowed, early.answers);
		const lost = await lostReads(parts.policy, caller, who, allowed);
		const { answers, words } = lost.size > 0 && early === UNCUT ? await cut(allowed, body) : early;
		const held = await parts.releaseAnswer(caller, who, daemon, allowed, (signing) =>
			textOf(signing as readonly AllowedCall[], allowed, answers, body)
		);
		// Where a response is missing, one that is withheld may stand at the place of another call.
		const areReadsKept = lost.size > 0 && !isPlaced(answers, allowed);
		const ownLine = (call: AllowedCall): Buffer | string => {
			const no = lost.get(call);
			if (no !== undefined) return errorLine(no);
			const own = areReadsKept && !canChange(call) ? undefined : answers[allowed.indexOf(call)];
			return own ?? errorLine(refusal(502, RPC_INTERNAL_ERROR, words, call.idText));
		};
		if (held !== null) {
			trace.mayBeDone = allowed.some((call) => canAct(call) && !unsent.includes(call));
			const isEachPlaced = isPlaced(answers, allowed);
			return answerAll((call) => {
				if (canReturnUnsent(call)) return errorLine(keptRefusal(held, call.idText));
				const line = ownLine(call);
				const isFree = isEachPlaced || !hasSigned(line);
				return isFree
					? line
					: errorLine(refusal(502, RPC_INTERNAL_ERROR, rpcApi.notCut, call.idText));
			});
		}
		if (isWhole && lost.size === 0) {
			reply(answer.status, answer.contentType || JSON_TYPE, [body]);
			return;
		}
		answerAll(ownLine);
	} catch (error) {
		if (!isAppError(error, 'daemon')) throw error;
		trace.mayBeDone = error.params.delivery !== 'not-sent';
		answerAll(({ idText }) => errorLine(failureRefusal(error, idText)));
	}
}

async function judge(
	{ policy }: DaemonCallParts,
	identity: Member | null,
	daemon: DaemonInfo,
	item: RpcItem,
	origin: CallOrigin
): Promise<AllowedCall | RpcRefusal> {
	if (item.kind === 'refusal') return item;
	const { method, params, idText } = item;
	if (identity === null) return nobodys(idText);
	if (!isDaemonMethod(method)) return unknownMethod(idText);
	const demands = daemonDemands(daemon, method, params);
	const decision = await policy.authorizeCall(identity, demands, origin);
	if (decision.denial !== null) return denialRefusal(decision.denial, idText);
	if (daemonMethods[method].assumesWallet && !daemon.hasWallet) {
		await decision.giveBack();
		const call = { daemon: daemon.id, method, requestId: origin.requestId };
		const error = daemonError('daemon.no-wallet', call, { delivery: 'not-sent' });
		return failureRefusal(error, idText);
	}
	return { ...item, method, demands, giveBack: decision.giveBack };
}

/** Returns the call, or its refusal when its caller no longer has the right. */
async function judgeAgain(
	{ policy }: DaemonCallParts,
	identity: Member | null,
	call: AllowedCall
): Promise<AllowedCall | RpcRefusal> {
	const { demands, idText, giveBack } = call;
	const denial = identity && (await policy.authorizeAgain(identity, demands));
	if (identity !== null && denial === null) return call;
	await giveBack();
	return denial === null ? nobodys(idText) : denialRefusal(denial, idText);
}

const isArray = (body: Buffer): boolean => /^\s*\[/.test(body.toString('latin1', 0, 100));

const canChange = ({ method }: AllowedCall): boolean =>
	!changesNothing(daemonMethods[method].access);

const canAct = ({ method }: AllowedCall): boolean => actsOutside(daemonMethods[method].access);

/** Whether the response to this call must be examined separately. */
const isReadAlone = (call: AllowedCall): boolean => composes(call.method) || canReturnUnsent(call);

const canReturnUnsent = ({ method }: AllowedCall): boolean => returnsUnsent(daemonMethods[method]);

const hasSigned = (line: Buffer | string): boolean =>
	signedHex(hexOfAnswer(String(line))).length > 0;

/** Whether each call has its own response: where one has none, a caller's ids may have misplaced others. */
const isPlaced = (answers: PlacedAnswers, calls: readonly AllowedCall[]): boolean =>
	calls.every((_, at) => answers[at] !== undefined);

/** The responses of a batch, and the message for a call without one. */
interface Cut {
	answers: PlacedAnswers;
	words: string;
}

const UNCUT: Cut = { answers: [], words: rpcApi.leftOut };

async function cut(calls: readonly AllowedCall[], body: Buffer): Promise<Cut> {
	try {
		return { answers: await placed(calls, body), words: rpcApi.leftOut };
	} catch (error) {
		if (!isAppError(error, 'answer')) throw error;
		return { answers: [], words: rpcApi.notCut };
	}
}

/** Returns the responses to some calls of a batch as JSON; the whole body when they cannot be told apart. */
function textOf(
	some: readonly AllowedCall[],
	calls: readonly AllowedCall[],
	answers: PlacedAnswers,
	body: Buffer
): string {
	const own = some.map((call) => answers[calls.indexOf(call)]);
	const isWhole = some.length === calls.length || !isPlaced(answers, calls);
	return isWhole ? body.toString('utf8') : `[${own.map(String).join(',')}]`;
}

/** Records the txids of transactions that the daemon created and sent. */
async function recordComposed(
	{ audit }: DaemonCallParts,
	identity: Member,
	daemon: DaemonInfo,
	calls: readonly AllowedCall[],
	answers: PlacedAnswers
): Promise<void> {
	for (const [at, { method }] of calls.entries()) {
		const txid = composedTxid(method, answers[at] ?? '');
		if (txid !== null) await audit.append(composedSend(method, txid, identity, daemon));
	}
}
