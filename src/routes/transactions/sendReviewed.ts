import { fail, type ActionFailure } from '@sveltejs/kit';
import { explainDaemon } from '#lib/messages/errors/explainDaemon.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { isTransactionError } from '#lib/server/wallet/transactions/errors.ts';
import { sendInTime } from '#lib/server/wallet/transactions/lookUp.ts';

/** Why a form did nothing, with the error code when a daemon failed, else null. */
type Refused = ActionFailure<{ problem: string; code: string | null }>;

/** Sends a reviewed transaction, waiting as long as a page may; returns why it was not sent, or null. */
export async function sendReviewed(sending: Promise<unknown>): Promise<Refused | null> {
	try {
		await sendInTime(sending);
		return null;
	} catch (cause) {
		if (isAppError(cause, 'daemon')) {
			const { what, next } = explainDaemon(cause.coded);
			return fail(cause.status, { problem: `${what} ${next}`, code: cause.code });
		}
		// The transaction's page says that it waits for approval.
		if (isAppError(cause, 'policy.needs-approval')) return null;
		if (!isTransactionError(cause)) throw cause;
		const status = isAppError(cause, 'work') ? cause.status : 409;
		return fail(status, { problem: cause.message, code: null });
	}
}

/** Discards a review, waiting as long as a page may; returns why that failed, or whether it was discarded. */
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
