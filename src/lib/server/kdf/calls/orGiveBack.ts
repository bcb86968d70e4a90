import { databaseErrorKind } from '../../platform/database/databaseError.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { wasRequested } from './failure.ts';

/**
 * Returns the result of a call to a node. If the call was not sent, reverses what was counted for it: the database is
 * asked right before a call is sent, and may not answer.
 * @throws what the call throws
 */
export async function orGiveBack<T>(call: Promise<T>, giveBack: () => Promise<void>): Promise<T> {
	try {
		return await call;
	} catch (error) {
		const isUnsent = isAppError(error, 'activation.call-failed')
			? !wasRequested(error.params.failure)
			: databaseErrorKind(error) !== null;
		if (isUnsent) await giveBack();
		throw error;
	}
}
