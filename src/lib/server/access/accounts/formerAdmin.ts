import type { Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { AccessTables } from '../tables.ts';
import type { LinkMaker } from './linkMaker.ts';

/**
 * Refuses what an admin asks for who was disabled or demoted since the request came: it may have waited for just that.
 * The caller holds the lock of the log, as does whoever changes accounts.
 * @param by null at the server's own command line
 * @throws {AppError} `account.not-admin`
 */
export async function refuseFormerAdmin(trx: Executor<AccessTables>, by: LinkMaker): Promise<void> {
	if (by === null) return;
	const admin = await trx
		.selectFrom('accounts')
		.select('id')
		.where('id', '=', by.id)
		.where('role', '=', 'admin')
		.where('disabled_at', 'is', null)
		.executeTakeFirst();
	if (!admin) throw new AppError('account.not-admin');
}
