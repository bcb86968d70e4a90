import { isUnmeasured } from '../../../access/rights/refused.ts';
import { isAppError } from '../../../platform/errors/appError.ts';
import { isTransactionError } from '../../../wallet/transactions/errors.ts';
import { isKept } from '../resume.ts';
import type { MigrationDependencies } from './dependencies.ts';
import { retry } from './retry.ts';

/**
 * Retries migrations whose burn was held back and is approved now, on behalf of the member who asked to take it over.
 * Voids the requests for burns that are not held back any more: found on their chain, over, or taken over otherwise.
 */
export async function retryApproved(deps: MigrationDependencies): Promise<void> {
	const { db, store, approvals } = deps;
	const asked = await db
		.selectFrom('approval_requests')
		.innerJoin('migrations', 'migrations.id', 'approval_requests.subject')
		.select(['migrations.id', 'approval_requests.id as request', 'approval_requests.author'])
		.where('approval_requests.state', '=', 'open')
		.where('migrations.state', '!=', 'burn-needs-approval')
		.execute();
	for (const { id, request, author } of asked) {
		const migration = await store.load(id);
		if (!migration || !isKept(migration.row)) {
			await approvals.voidOf(id, 'engine');
		} else if (await approvals.isMet(request)) {
			try {
				await retry(deps, id, author);
			} catch (error) {
				if (!isTransactionError(error)) throw error;
				// Another try for this member would be refused, too; not one for another member. Who retries reads why.
				// What could not be measured now was not refused: the approvals stay for the next round.
				if (
					isAppError(error, 'limit', 'policy', 'work.denied') &&
					!isAppError(error, 'policy.needs-approval') &&
					!isUnmeasured(error)
				) {
					await approvals.voidOne(request, 'engine');
				}
			}
		}
	}
}
