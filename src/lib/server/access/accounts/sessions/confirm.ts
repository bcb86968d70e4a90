import type { Executor } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/appError.ts';
import type { AccessTables } from '../../tables.ts';
import type { SessionDependencies } from './dependencies.ts';
import { macOf } from './sessionMac.ts';

/**
 * Records that the member of a session has just proved their identity again.
 * @throws {AppError} `account.session-ended`
 */
export async function confirm(
	{ db, bearer }: SessionDependencies,
	idHash: string,
	within: Executor<AccessTables> = db,
	at = Date.now()
): Promise<void> {
	const row = await within
		.selectFrom('sessions')
		.selectAll()
		.where('id_hash', '=', idHash)
		.executeTakeFirst();
	if (!row) throw new AppError('account.session-ended');
	const confirmed_at = BigInt(at);
	const { numUpdatedRows } = await within
		.updateTable('sessions')
		.set({ confirmed_at, mac: macOf(bearer, { ...row, confirmed_at }) })
		.where('id_hash', '=', idHash)
		.executeTakeFirst();
	if (numUpdatedRows === 0n) throw new AppError('account.session-ended');
}
