import { fail, redirect } from '@sveltejs/kit';
import {
	isTransactionError,
	lockedBy,
	type TransactionError
} from '#lib/server/wallet/transactions/errors.ts';

/**
 * Redirects to the review of the transaction being built.
 * @param refused returns the form's result when it cannot be built
 */
export async function toReview<Answer>(
	building: Promise<string>,
	refused: (cause: TransactionError) => Answer
): Promise<Answer> {
	let id: string;
	try {
		id = await building;
	} catch (cause) {
		if (!isTransactionError(cause)) throw cause;
		return refused(cause);
	}
	redirect(303, `/transactions/${id}`);
}

/** Result of a form without fields in that case. */
export const unbuilt = (cause: TransactionError) =>
	fail(400, { problem: cause.message, at: lockedBy(cause) });
