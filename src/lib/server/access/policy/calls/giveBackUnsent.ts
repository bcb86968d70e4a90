/**
 * What was counted of a call that never left is given back, and the record says that it did not leave: nothing went out,
 * so the next try is judged anew.
 */
import { databaseErrorKind } from '../../../platform/database/databaseError.ts';
import { isAppError } from '../../../platform/errors/appError.ts';
import type { GiveBack } from './authorizeCall.ts';

/**
 * Gives back what was counted of a call, where the error says that it never left.
 * @throws the error itself
 */
export async function giveBackUnsent(giveBack: GiveBack, error: unknown): Promise<never> {
	// An answer that was lost is unknown: it may have been done.
	// The database is asked before a call leaves, and not after.
	const isUnsent =
		isAppError(error, 'queue.kept') ||
		databaseErrorKind(error) !== null ||
		(isAppError(error, 'daemon', 'kdf') && error.params.delivery === 'not-sent');
	if (isUnsent) await giveBack();
	throw error;
}
