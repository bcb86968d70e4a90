import { fail, redirect } from '@sveltejs/kit';
import {
	isTransactionError,
	lockedBy,
	type TransactionError
} from '#lib/server/wallet/transactions/errors.ts';

/**
 * Leads to the review of what is built.
 * @param refused what the form is answered when something stands in the way
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

/** What a form without fields is answered then. */
export const unbuilt = (cause: TransactionError) =>
	fail(400, { problem: cause.message, at: lockedBy(cause) });
