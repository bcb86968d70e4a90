import type { AuditEntry } from '../../platform/audit-trail/entry.ts';
import type { AuditTrail } from '../../platform/audit-trail/trail.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { AccessTables } from '../tables.ts';
import type { Account } from './identity.ts';

/** The table that tells who is an admin. */
export type AccountsOnly = Pick<AccessTables, 'accounts'>;

/**
 * Refuses a request whose admin was disabled or demoted after it arrived: it may have waited for the lock
 * that the demotion held. The caller holds the lock of the audit log, as does every change of accounts.
 * @param by null at the server's own command line
 * @throws {AppError} `account.not-admin`
 */
export async function refuseFormerAdmin(
	trx: Executor<AccountsOnly>,
	by: Pick<Account, 'id'> | null
): Promise<void> {
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

/**
 * Creates a function that records an order of an admin, which takes effect afterwards. It refuses a request
 * whose admin was disabled or demoted meanwhile.
 */
export const createAdminRecord =
	(db: Database<AccessTables>, audit: AuditTrail) =>
	(by: Pick<Account, 'id'> | null, entry: AuditEntry): Promise<void> =>
		db.transaction().execute(async (trx) => {
			await audit.append(entry, trx);
			await refuseFormerAdmin(trx, by);
		});
