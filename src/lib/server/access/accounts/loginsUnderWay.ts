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

/**
 * The same for every member of a provider, or for one of its identities. Which of its sessions one belongs to is
 * known to its browser alone, so it ends with any of them.
 */
export async function endProviderLoginsUnderWay(
	trx: Executor<AccessTables>,
	issuer: string,
	subject?: string
): Promise<void> {
	await trx
		.deleteFrom('factor_challenges')
		.where('purpose', '=', 'login')
		.where('account_id', 'in', (select) => {
			const members = select
				.selectFrom('identities')
				.select('account_id')
				.where('issuer', '=', issuer);
			return subject === undefined ? members : members.where('subject', '=', subject);
		})
		.execute();
}
