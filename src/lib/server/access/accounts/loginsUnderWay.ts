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

/** The same for what began by a provider: by one session of it, by one identity, or both. */
export async function endProviderLoginsUnderWay(
	trx: Executor<AccessTables>,
	{ iss, sub, sid }: { iss: string; sub?: string | undefined; sid?: string | undefined }
): Promise<void> {
	let ending = trx
		.deleteFrom('factor_challenges')
		.where('purpose', '=', 'login')
		.where('issuer', '=', iss);
	if (sub !== undefined) {
		ending = ending.where('account_id', 'in', (select) =>
			select
				.selectFrom('identities')
				.select('account_id')
				.where('issuer', '=', iss)
				.where('subject', '=', sub)
		);
	}
	if (sid !== undefined) {
		ending = ending.where((where) =>
			where.or([
				where('provider_session', '=', sid),
				...(sub === undefined ? [] : [where('provider_session', 'is', null)])
			])
		);
	}
	await ending.execute();
}
