import type { Executor } from '../../platform/database/database.ts';
import type { AccessTables } from '../tables.ts';

/**
 * Serializes judgements, approvals and changes of policies. Must be taken before the lock of the audit log.
 */
export async function lockPolicies(trx: Executor<AccessTables>): Promise<void> {
	await trx
		.updateTable('policy_state')
		.set((set) => ({ turns: set('turns', '+', 1n) }))
		.where('id', '=', 1n)
		.execute();
}
