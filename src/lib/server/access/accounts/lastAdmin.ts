import type { Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { Account } from '../identity/identity.ts';
import type { AccessTables } from '../tables.ts';
import type { LocalLogin } from './localLogin.ts';

/**
 * Refuses to remove an admin whom the installation depends on: the last one, and, while local login is
 * closed, the admin who can still log in when the provider is down. The caller holds the audit lock, so that
 * two admins cannot remove each other at once.
 * @throws {AppError} `account.last-admin`, `account.break-glass-admin`
 */
export async function refuseTheLastAdmin(
	trx: Executor<AccessTables>,
	localLogin: Pick<LocalLogin, 'restsOn'>,
	{ id, name }: Pick<Account, 'id' | 'name'>
): Promise<void> {
	if (await localLogin.restsOn({ name }, trx)) throw new AppError('account.break-glass-admin');
	const other = await trx
		.selectFrom('accounts')
		.select('id')
		.where('role', '=', 'admin')
		.where('disabled_at', 'is', null)
		.where('id', '!=', id)
		.limit(1)
		.executeTakeFirst();
	if (other) return;
	throw new AppError('account.last-admin');
}
