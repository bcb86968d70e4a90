/** How a member ends sessions of their own. Each is recorded. */
import type { Account } from '../../identity/identity.ts';
import { endPendingLogins } from '../pendingLogins.ts';
import type { SessionDependencies } from './dependencies.ts';

/**
 * Ends one session and records it as `action`. In one transaction: if only the session ended, the request could
 * not be repeated to record it.
 * @returns false when the account has no such session
 */
async function end(
	{ db, audit }: SessionDependencies,
	by: Account,
	idHash: string,
	action: 'session.ended' | 'sign-out'
): Promise<boolean> {
	return db.transaction().execute(async (trx) => {
		await audit.lock(trx);
		const { numDeletedRows } = await trx
			.deleteFrom('sessions')
			.where('id_hash', '=', idHash)
			.where('account_id', '=', by.id)
			.executeTakeFirst();
		if (numDeletedRows === 0n) return false;
		await audit.append({ actor: by.name, action }, trx);
		return true;
	});
}

/** Ends one session of a member by its hash from the list; false when the member has no such session. */
export const endOne = (deps: SessionDependencies, by: Account, idHash: string): Promise<boolean> =>
	end(deps, by, idHash, 'session.ended');

/** Ends the session with which a member logs out; false when it had ended before. */
export const signOut = (deps: SessionDependencies, by: Account, idHash: string): Promise<boolean> =>
	end(deps, by, idHash, 'sign-out');

/** Ends all sessions of a member but the one with this hash, and their pending logins. */
export async function endOthers(
	{ db, audit }: SessionDependencies,
	by: Account,
	keepIdHash: string | null
): Promise<void> {
	await db.transaction().execute(async (trx) => {
		await audit.lock(trx);
		await endPendingLogins(trx, by.id);
		await trx
			.deleteFrom('sessions')
			.where('account_id', '=', by.id)
			.where('id_hash', '!=', keepIdHash ?? '')
			.execute();
		await audit.append({ actor: by.name, action: 'session.others-ended' }, trx);
	});
}
