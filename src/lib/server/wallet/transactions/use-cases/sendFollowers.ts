import { isTransactionError } from '../errors.ts';
import type { SendingDependencies } from './dependencies.ts';
import { send } from './send.ts';
import { isAppError } from '../../../platform/errors/appError.ts';

/**
 * Sends the second transactions of pairs whose first is confirmed. One that cannot be sent yet is retried in
 * the next round.
 */
export async function sendFollowers(deps: SendingDependencies): Promise<void> {
	const { store, following } = deps;
	const due = (await store.dueFollowers()).filter(({ id }) => !following.has(id));
	// Concurrently: a daemon that hangs delays only its own.
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
