/** Requests with an `Idempotency-Key`: each is carried out at most once, and answered what the first was answered. */
import { duration } from '#lib/text/duration.ts';
import { refuse } from '../daemon/daemonProxy.ts';
import { INTERNAL } from '../daemon/refusals.ts';
import { errorLine, INVALID, refusal } from '../daemon/requestBody.ts';
import type { KeyedRequest, OnceCall, Trace } from './onceCalls.ts';
import { captured, replay, type Reply } from './reply.ts';

/** Answers a request, and says whether anything may have been done by whom it was sent to. */
export type Work = (reply: Reply, trace: Trace) => Promise<void>;

const BAD_KEY = 'The Idempotency-Key has 8 to 128 visible characters. Nothing was done.';
const REUSED_KEY =
	'This Idempotency-Key came with another request before. Nothing was done: use a new key.';
const RUNNING_KEY =
	'A request with this Idempotency-Key is still being carried out, or the server ended before its answer came. Nothing was done twice: look up what happened before you use a new key.';

/** Says how long to wait, for programs in the header and for people in words. */
export function tooMany(reply: Reply, seconds: number, what = 'Too many calls'): void {
	const words = `${what}: wait ${duration(seconds, Math.ceil)}, then try again. None of this request was carried out.`;
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
			refuse(kept.reply, refusal(500, INTERNAL, `Komodeck failed; request ${requestId}`));
		}
		return kept.answer();
	});
	switch (outcome.kind) {
		case 'answer':
			replay(reply, outcome.answer);
			break;
		case 'bad-key':
			refuse(reply, refusal(400, INVALID, BAD_KEY));
			break;
		case 'limited':
			tooMany(reply, outcome.seconds, 'Too many requests with an Idempotency-Key');
			break;
		case 'reused':
			refuse(reply, refusal(422, INVALID, REUSED_KEY));
			break;
		case 'running':
			refuse(reply, refusal(409, INTERNAL, RUNNING_KEY));
	}
	const failed = fault as { error: unknown } | null;
	if (failed !== null) throw failed.error;
}
