/** Logins that wait for a second factor: what ends the sessions of an account ends them, too. */
import type { Executor } from '../../platform/database/database.ts';
import type { AccessTables } from '../tables.ts';

/**
 * Ends the logins of an account that wait for a factor. Call it before its sessions end: a login that is finished at
 * the same moment has its session by then, or gets none.
 */
export async function endLoginsUnderWay(
	trx: Executor<AccessTables>,
	accountId: string
): Promise<void> {
	await trx
		.deleteFrom('factor_challenges')
		.where('account_id', '=', accountId)
		.where('purpose', '=', 'login')
		.execute();
}
