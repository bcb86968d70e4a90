import type { Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { AccessTables } from '../tables.ts';

/** A session and its account. */
interface SessionOf {
	accountId: string;
	idHash: string;
}

/**
 * Whether a session still exists. Whatever opens another way into the account checks this under the audit
 * lock, which the ending of sessions takes too: a caller who was just locked out cannot add one.
 */
export async function isSessionOpen(
	trx: Executor<AccessTables>,
	{ accountId, idHash }: SessionOf
): Promise<boolean> {
	const row = await trx
		.selectFrom('sessions')
		.select('id_hash')
		.where('id_hash', '=', idHash)
		.where('account_id', '=', accountId)
		.executeTakeFirst();
	return row !== undefined;
}

/**
 * Refuses a session that has ended in the meantime.
 * @throws {AppError} `account.session-ended`
 */
export async function refuseEnded(trx: Executor<AccessTables>, session: SessionOf): Promise<void> {
	if (!(await isSessionOpen(trx, session))) throw new AppError('account.session-ended');
}
