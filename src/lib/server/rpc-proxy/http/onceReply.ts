/** Requests with an `Idempotency-Key`: each is executed at most once, and repetitions get the first response. */
import { rpcApi, type TooMany } from '#lib/messages/rpcApi.ts';
import { RPC_INTERNAL_ERROR, RPC_INVALID_REQUEST } from '#lib/rpc/errorCodes.ts';
import type { KeyedRequest, OnceCall, Trace } from './onceCalls.ts';
import { errorLine, refusal, refuse } from './refusal.ts';
import { captured, replay, type Reply } from './reply.ts';

/** Responds to a request, and notes in the trace whether the upstream may have acted on it. */
export type Work = (reply: Reply, trace: Trace) => Promise<void>;

/** Reports a rate limit: the seconds to wait in the header for programs, and in words for people. */
export function tooMany(reply: Reply, seconds: number, what: TooMany = 'calls'): void {
	const words = rpcApi.tooMany(what, seconds);
	reply(429, 'application/json', `${errorLine(refusal(429, RPC_INTERNAL_ERROR, words))}\n`, {
		'Retry-After': String(seconds)
	});
}

/**
 * Executes the work at most once, and sends its response to every request with the same key.
 * @param trace told before the response is sent whether the request may have had an effect
 */
export async function replyOnce(
	onceCall: OnceCall,
	request: KeyedRequest,
	work: Work,
	{ requestId, trace }: { requestId: string; trace: Trace },
	reply: Reply
): Promise<void> {
	let fault: { error: unknown } | null = null;
	// What the first execution did is not known to a repetition.
	let mayBeDone = true;
	const outcome = await onceCall(request, async (own) => {
		const kept = captured();
		try {
			await work(kept.reply, own);
		} catch (error) {
			if (!own.mayBeDone) throw error;
			// What may have been executed is not repeated, whatever failed afterwards.
			fault = { error };
			refuse(kept.reply, refusal(500, RPC_INTERNAL_ERROR, rpcApi.failedBehind(requestId)));
		}
		mayBeDone = own.mayBeDone;
		return kept.answer();
	});
	switch (outcome.kind) {
		case 'answer':
			trace.mayBeDone = mayBeDone;
			replay(reply, outcome.answer);
			break;
		case 'bad-key':
			refuse(reply, refusal(400, RPC_INVALID_REQUEST, rpcApi.badKey));
			break;
		case 'limited':
			tooMany(reply, outcome.seconds, 'keys');
			break;
		case 'reused':
			refuse(reply, refusal(422, RPC_INVALID_REQUEST, rpcApi.reusedKey));
			break;
		case 'running':
			refuse(reply, refusal(409, RPC_INTERNAL_ERROR, rpcApi.runningKey));
	}
	const failed = fault as { error: unknown } | null;
	if (failed !== null) throw failed.error;
}
