import { fail, type ActionFailure } from '@sveltejs/kit';
import { explainDaemon } from '#lib/messages/explained/daemon.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { isTransactionError } from '#lib/server/wallet/transactions/errors.ts';
import { sendInTime } from '#lib/server/wallet/transactions/lookUp.ts';

/** Why a form did nothing, with the code of a daemon's failure; null where no daemon failed. */
type Refused = ActionFailure<{ problem: string; code: string | null }>;

/** Sends what was reviewed, as long as a page waits; returns why that was not done, or null. */
export async function sendReviewed(sending: Promise<unknown>): Promise<Refused | null> {
	try {
		await sendInTime(sending);
		return null;
	} catch (cause) {
		if (isAppError(cause, 'daemon')) {
			const { what, next } = explainDaemon(cause.coded);
			return fail(cause.status, { problem: `${what} ${next}`, code: cause.code });
		}
		// The page of what waits for others says so itself.
		if (isAppError(cause, 'policy.needs-approval')) return null;
		if (!isTransactionError(cause)) throw cause;
		return fail(409, { problem: cause.message, code: null });
	}
}

/** Discards a review, as long as a page waits; returns why that was not done, or whether it was. */
export async function discardReviewed(
	discarding: Promise<boolean>
): Promise<{ refused: Refused } | { refused: null; isDiscarded: boolean }> {
	try {
		return { refused: null, isDiscarded: (await sendInTime(discarding)) === true };
	} catch (cause) {
		if (!isTransactionError(cause)) throw cause;
		return { refused: fail(cause.status, { problem: cause.message, code: null }) };
	}
}
