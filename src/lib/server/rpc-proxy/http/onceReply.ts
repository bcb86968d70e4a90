/** Requests with an `Idempotency-Key`: each is carried out at most once, and answered what the first was answered. */
import { rpcApi, type TooMany } from '#lib/messages/rpcApi.ts';
import { refuse } from '../daemon/daemonProxy.ts';
import { INTERNAL } from '../daemon/refusals.ts';
import { errorLine, INVALID, refusal } from '../daemon/requestBody.ts';
import type { KeyedRequest, OnceCall, Trace } from './onceCalls.ts';
import { captured, replay, type Reply } from './reply.ts';

/** Answers a request, and says whether anything may have been done by whom it was sent to. */
export type Work = (reply: Reply, trace: Trace) => Promise<void>;

/** Says how long to wait, for programs in the header and for people in words. */
export function tooMany(reply: Reply, seconds: number, what: TooMany = 'calls'): void {
	const words = rpcApi.tooMany(what, seconds);
	reply(429, 'application/json', `${errorLine(refusal(429, INTERNAL, words))}\n`, {
		'Retry-After': String(seconds)
	});
}

/** Does the work at most once, and answers every request with its key what the first was answered. */
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
			// What may have been done is not done again, whatever failed behind it.
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
