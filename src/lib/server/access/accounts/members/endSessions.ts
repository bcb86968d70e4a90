import { actorOf } from '../../../platform/audit-trail/entry.ts';
import type { LinkMaker } from '../../identity/linkMaker.ts';
import { endPendingLogins } from '../pendingLogins.ts';
import type { MemberDependencies } from './dependencies.ts';
import { changing } from './lockedAccount.ts';

/**
 * Ends all sessions of an account.
 * @throws {AppError} `account.unknown`
 */
export async function endSessions(
	deps: MemberDependencies,
	by: LinkMaker,
	accountId: string
): Promise<void> {
	await changing(deps, by, accountId, async (trx, { name }) => {
		await endPendingLogins(trx, accountId);
		await trx.deleteFrom('sessions').where('account_id', '=', accountId).execute();
		await deps.audit.append({ actor: actorOf(by), action: 'sessions.ended', target: name }, trx);
	});
}
