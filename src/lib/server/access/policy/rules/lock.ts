import type { Executor } from '../../../platform/database/database.ts';
import type { AccessTables } from '../../tables.ts';

/** Lets judgements, approvals and changes of policies pass one after the other. Taken before the lock of the log. */
export async function lockPolicies(trx: Executor<AccessTables>): Promise<void> {
	await trx
		.updateTable('policy_state')
		.set((set) => ({ turns: set('turns', '+', 1n) }))
		.where('id', '=', 1n)
		.execute();
}
