import type { Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { AccessTables } from '../tables.ts';

/**
 * Refuses what would take the last admin away. The caller holds the lock of the log, so that two cannot remove each
 * other at once.
 * @throws {AppError} `account.last-admin`
 */
export async function refuseTheLastAdmin(
	trx: Executor<AccessTables>,
	accountId: string
): Promise<void> {
	const other = await trx
		.selectFrom('accounts')
		.select('id')
		.where('role', '=', 'admin')
		.where('disabled_at', 'is', null)
		.where('id', '!=', accountId)
		.limit(1)
		.executeTakeFirst();
	if (other) return;
	throw new AppError('account.last-admin');
}
