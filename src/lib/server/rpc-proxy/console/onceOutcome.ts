/**
 * Idempotent calls of the console that change something: a form that is submitted again gets the outcome of the
 * first submission.
 */
import { consoleOutcomes } from '#lib/messages/consoleOutcomes.ts';
import type { KeyedRequest, OnceCall, Trace } from '../http/onceCalls.ts';
import type { CallOutcome } from './outcome.ts';

/** Outcome when an error occurred after the call was sent. */
const NOT_KNOWN: CallOutcome = { kind: 'failed', ms: 0, ...consoleOutcomes.unknown };

const JSON_HEADERS = [['content-type', 'application/json']] as const;

/** Executes the call at most once, and returns its outcome to every submission with the same key. */
export async function outcomeOnce(
	onceCall: OnceCall,
	request: KeyedRequest,
	work: (trace: Trace) => Promise<CallOutcome>
): Promise<CallOutcome> {
	let fault: { error: unknown } | null = null;
	const once = await onceCall(request, async (trace) => {
		let outcome = NOT_KNOWN;
		try {
			outcome = await work(trace);
		} catch (error) {
			if (!trace.mayBeDone) throw error;
			fault = { error };
		}
		const body = new TextEncoder().encode(JSON.stringify(outcome));
		return { status: 200, headers: JSON_HEADERS, body };
	});
	const failed = fault as { error: unknown } | null;
	if (failed !== null) throw failed.error;
	switch (once.kind) {
		case 'answer': {
			const { status, body } = once.answer;
			if (status === 200) return JSON.parse(new TextDecoder().decode(body)) as CallOutcome;
			return { kind: 'refused', sentence: consoleOutcomes.answerTooLong };
		}
		case 'limited':
			return { kind: 'limited', seconds: once.seconds };
		case 'bad-key':
		case 'reused':
			return { kind: 'refused', sentence: consoleOutcomes.formReused };
		case 'running':
			return { kind: 'refused', sentence: consoleOutcomes.inProgress };
	}
}
