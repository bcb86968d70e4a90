import type { Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { AccessTables } from '../tables.ts';

/** A session and whose it is. */
interface SessionOf {
	accountId: string;
	idHash: string;
}

/**
 * Whether a session has not been ended since its request came. What opens a way into the account asks it under the lock
 * of the log, as what ends sessions does: whoever was just shut out leaves no door open behind them.
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

/** The same where nothing else is to be said of a session that was ended. @throws {AppError} `account.session-ended` */
export async function refuseEnded(trx: Executor<AccessTables>, session: SessionOf): Promise<void> {
	if (!(await isSessionOpen(trx, session))) throw new AppError('account.session-ended');
}
