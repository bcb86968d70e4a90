import { actorOf } from '../../platform/audit-trail/entry.ts';
import { touch } from '../../platform/audit-trail/recorded.ts';
import { AppError } from '../../platform/errors/appError.ts';
import { refuseFormerAdmin } from '../identity/formerAdmin.ts';
import type { LinkMaker } from '../identity/linkMaker.ts';
import type { ApiTokenDependencies } from './dependencies.ts';

/**
 * Revokes a token of an account and records it; false when the account has no such token that is not revoked.
 * @param by its member or an admin; null at the server's own command line
 * @throws {AppError} `account.unknown`, `account.not-admin`
 */
export async function revoke(
	{ db, audit }: ApiTokenDependencies,
	accountId: string,
	tokenId: string,
	by: LinkMaker
): Promise<boolean> {
	return db.transaction().execute(async (trx) => {
		await audit.lock(trx);
		const account = await trx
			.selectFrom('accounts')
			.select('name')
			.where('id', '=', accountId)
			.executeTakeFirst();
		if (!account) throw new AppError('account.unknown');
		if (by?.id !== accountId) await refuseFormerAdmin(trx, by);
		const revoked = await trx
			.updateTable('api_tokens')
			.set({ revoked_at: Date.now() })
			.where('id', '=', tokenId)
			.where('account_id', '=', accountId)
			.where('revoked_at', 'is', null)
			.returning('name')
			.executeTakeFirst();
		if (!revoked) return false;
		touch(trx, 'api_tokens', [tokenId], ['revoked_at']);
		const detail = { account: account.name, token: revoked.name };
		await audit.append(
			{ actor: actorOf(by), action: 'token.revoked', target: tokenId, detail },
			trx
		);
		return true;
	});
}
