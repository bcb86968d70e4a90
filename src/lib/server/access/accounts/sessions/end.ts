import type { Executor } from '../../../platform/database/database.ts';
import type { AccessTables } from '../../tables.ts';
import { endPendingLogins } from '../pendingLogins.ts';
import type { SessionDependencies } from './dependencies.ts';

/** Ends one session of an account by its hash from the list; false when the account has no such session. */
export async function endByHash(
	{ db }: SessionDependencies,
	accountId: string,
	idHash: string,
	within: Executor<AccessTables> = db
): Promise<boolean> {
	const { numDeletedRows } = await within
		.deleteFrom('sessions')
		.where('id_hash', '=', idHash)
		.where('account_id', '=', accountId)
		.executeTakeFirst();
	return numDeletedRows > 0n;
}

/** Ends all sessions of an account but the one with this hash, and its pending logins. */
export async function endOthers(
	{ db }: SessionDependencies,
	accountId: string,
	keepIdHash: string | null,
	within: Executor<AccessTables> = db
): Promise<void> {
	await endPendingLogins(within, accountId);
	await within
		.deleteFrom('sessions')
		.where('account_id', '=', accountId)
		.where('id_hash', '!=', keepIdHash ?? '')
		.execute();
}
