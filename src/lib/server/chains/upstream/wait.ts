import { within } from '../../platform/async/within.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';

/**
 * Returns whether a call that waited for its place is not sent any more. One that acts needs a quarter of its time for
 * the answer: cut off, its outcome would be unknown, and a script would repeat it.
 */
export const isTooLate = (
	{ timeoutMs, acts }: { timeoutMs: number; acts: boolean },
	leftMs: number
): boolean => leftMs <= (acts ? timeoutMs / 4 : 0);

/**
 * Waits for a call as long as this caller wants to. The call itself continues, since others may wait for it too.
 * @param timeoutMs undefined waits until the call ends
 * @throws {AppError} `answer.pending` when the timeout passes first; otherwise what the call throws
 */
export function waitFor<T>(call: Promise<T>, timeoutMs: number | undefined): Promise<T> {
	if (timeoutMs === undefined) return call;
	return within(call, timeoutMs, () => new AppError('answer.pending'));
}

/**
 * As {@link waitFor}, for a result that is optional: undefined when the timeout passes first.
 * @throws what the call throws in time
 */
export async function waitAtMost<T>(call: Promise<T>, timeoutMs: number): Promise<T | undefined> {
	try {
		return await waitFor(call, timeoutMs);
	} catch (cause) {
		if (!isAppError(cause, 'answer.pending')) throw cause;
		return undefined;
	}
}
