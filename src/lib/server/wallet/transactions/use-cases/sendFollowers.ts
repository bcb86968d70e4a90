import { isTransactionError } from '../errors.ts';
import type { SendingDependencies } from './dependencies.ts';
import { send } from './send.ts';
import { isAppError } from '../../../platform/errors/appError.ts';

/**
 * Sends what was confirmed together with a transaction that is in a block by now. What cannot go out
 * yet is tried at the next round.
 */
export async function sendFollowers(deps: SendingDependencies): Promise<void> {
	const { store, following } = deps;
	const due = (await store.dueFollowers()).filter(({ id }) => !following.has(id));
	// Beside each other: a daemon that hangs holds up nothing but its own.
	await Promise.all(
		due.map(async ({ id, createdBy }) => {
			following.add(id);
			try {
				await send(deps, id, createdBy);
			} catch (error) {
				if (!isTransactionError(error) && !isAppError(error, 'daemon')) throw error;
			} finally {
				following.delete(id);
			}
		})
	);
}
