/** Requests with an `Idempotency-Key`: each is executed at most once, and repetitions get the first response. */
import { rpcApi, type TooMany } from '#lib/messages/rpcApi.ts';
import { refuse } from '../daemon/daemonProxy.ts';
import { INTERNAL } from '../daemon/refusals.ts';
import { errorLine, INVALID, refusal } from '../daemon/requestBody.ts';
import type { KeyedRequest, OnceCall, Trace } from './onceCalls.ts';
import { captured, replay, type Reply } from './reply.ts';

/** Responds to a request, and notes in the trace whether the upstream may have acted on it. */
export type Work = (reply: Reply, trace: Trace) => Promise<void>;

/** Reports a rate limit: the seconds to wait in the header for programs, and in words for people. */
export function tooMany(reply: Reply, seconds: number, what: TooMany = 'calls'): void {
	const words = rpcApi.tooMany(what, seconds);
	reply(429, 'application/json', `${errorLine(refusal(429, INTERNAL, words))}\n`, {
		'Retry-After': String(seconds)
	});
}

/** Executes the work at most once, and sends its response to every request with the same key. */
export async function replyOnce(
	onceCall: OnceCall,
	request: KeyedRequest,
	work: Work,
	requestId: string,
	reply: Reply
): Promise<void> {
	let fault: { error: unknown } | null = null;
	const outcome = await onceCall(request, async (trace) => {
		const kept = captured();
		try {
			await work(kept.reply, trace);
		} catch (error) {
			if (!trace.mayBeDone) throw error;
			// What may have been executed is not repeated, whatever failed afterwards.
			fault = { error };
			refuse(kept.reply, refusal(500, INTERNAL, rpcApi.failedBehind(requestId)));
		}
		return kept.answer();
	});
	switch (outcome.kind) {
		case 'answer':
			replay(reply, outcome.answer);
			break;
		case 'bad-key':
			refuse(reply, refusal(400, INVALID, rpcApi.badKey));
			break;
		case 'limited':
			tooMany(reply, outcome.seconds, 'keys');
			break;
		case 'reused':
			refuse(reply, refusal(422, INVALID, rpcApi.reusedKey));
			break;
		case 'running':
			refuse(reply, refusal(409, INTERNAL, rpcApi.runningKey));
	}
	const failed = fault as { error: unknown } | null;
	if (failed !== null) throw failed.error;
}
