import type { Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import { NO_PASSWORD } from '../accounts/tables.ts';
import type { AccessTables } from '../tables.ts';
import type { LinkedIdentity } from './identities.ts';

/**
 * Refuses to take away what a member logs in with last: there is no password, and no other identity.
 * @throws {AppError} `sign-on.last-way`
 */
export async function refuseTheLastWay(
	trx: Executor<AccessTables>,
	accountId: string,
	{ issuer, subject }: Pick<LinkedIdentity, 'issuer' | 'subject'>
): Promise<void> {
	const password = await trx
		.selectFrom('accounts')
		.select('id')
		.where('id', '=', accountId)
		.where('password_hash', '!=', NO_PASSWORD)
		.executeTakeFirst();
	if (password) return;
	const other = await trx
		.selectFrom('identities')
		.select('subject')
		.where('account_id', '=', accountId)
		.where((where) => where.or([where('issuer', '!=', issuer), where('subject', '!=', subject)]))
		.executeTakeFirst();
	if (!other) throw new AppError('sign-on.last-way');
}
