/** Logins that wait for a second factor. Whatever ends the sessions of an account ends these, too. */
import type { Executor } from '../../platform/database/database.ts';
import type { AccessTables } from '../tables.ts';

/**
 * Ends the logins of an account that wait for a second factor. Must be called before its sessions are ended:
 * a login that completes concurrently then either has its session already, which is ended next, or fails.
 */
export async function endPendingLogins(
	trx: Executor<AccessTables>,
	accountId: string
): Promise<void> {
	await trx
		.deleteFrom('factor_challenges')
		.where('account_id', '=', accountId)
		.where('purpose', '=', 'login')
		.execute();
}
