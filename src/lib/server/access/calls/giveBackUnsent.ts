/**
 * Reverts the counting of a call that was never sent, and logs that it was not: the next attempt is judged
 * anew.
 */
import { databaseErrorKind } from '../../platform/database/databaseError.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import type { GiveBack } from './countSpend.ts';

/**
 * Reverts the counting of a call when the error proves that it was never sent.
 * @throws the error itself
 */
export async function giveBackUnsent(giveBack: GiveBack, error: unknown): Promise<never> {
	// A lost response leaves the outcome unknown: the call may have been executed.
	// The database is queried only before a call is sent, so its errors prove that nothing was sent.
	const isUnsent =
		isAppError(error, 'queue.kept') ||
		databaseErrorKind(error) !== null ||
		(isAppError(error, 'daemon', 'kdf') && error.params.delivery === 'not-sent');
	if (isUnsent) await giveBack();
	throw error;
}
