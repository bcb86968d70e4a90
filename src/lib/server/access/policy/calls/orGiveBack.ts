/** What was counted of a call that never left is given back: nothing went out, so the next try is judged anew. */
import { isAppError } from '../../../platform/errors/appError.ts';
import type { GiveBack } from './authorizeCall.ts';

/**
 * Makes a call that was counted.
 * @throws {AppError} what `make` throws
 */
export async function orGiveBack<T>(giveBack: GiveBack, make: () => Promise<T>): Promise<T> {
	try {
		return await make();
	} catch (error) {
		// An answer that was lost is unknown: it may have been done.
		if (isAppError(error, 'daemon', 'kdf') && error.params.delivery === 'not-sent')
			await giveBack();
		throw error;
	}
}
