/** Removal of all factors of a member by an admin, which may wait for the approval of another admin. */
import { touch } from '../../platform/audit-trail/recorded.ts';
import type { Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { Audit } from '../audit/audit.ts';
import { doesMoreThanLook } from '../policy/rules/approvers.ts';
import type { ChangeKind } from '../changes/change.ts';
import type { AccessTables } from '../tables.ts';
import { factorsOf, markAccount } from './factorRows.ts';
import type { StoredRecoveryCodes } from './recoveryCodeStore.ts';
import { actorOf } from '../../platform/audit-trail/entry.ts';

/**
 * Reads the member's name and role.
 * @throws {AppError} `account.unknown`
 */
async function memberOf(trx: Executor<AccessTables>, accountId: string) {
	const account = await trx
		.selectFrom('accounts')
		.select(['name', 'role'])
		.where('id', '=', accountId)
		.executeTakeFirst();
	if (!account) throw new AppError('account.unknown');
	return account;
}

/**
 * Returns the kind of change that removes all factors of a member. It can wait for approval, since it removes
 * one of the two obstacles to logging in as that member.
 */
export function factorReset(
	audit: Audit,
	codes: StoredRecoveryCodes
): ChangeKind<'member.factors', { account: string }, number> {
	return {
		code: 'member.factors',
		async look(trx, { account }) {
			const { name, role } = await memberOf(trx, account);
			const rows = await factorsOf(trx, account);
			return {
				waits: await doesMoreThanLook(trx, { account, role }),
				state: JSON.stringify([role, ...rows.map(({ id }) => id)]),
				facts: { member: name, role, factors: rows.length }
			};
		},
		async apply(trx, by, { account }) {
			await audit.lock(trx);
			const { name } = await memberOf(trx, account);
			const gone = await trx
				.deleteFrom('second_factors')
				.where('account_id', '=', account)
				.returning('id')
				.execute();
			for (const { id } of gone) touch(trx, 'second_factors', [id]);
			await codes.drop(trx, account);
			await markAccount(trx, account, null);
			await trx.deleteFrom('factor_challenges').where('account_id', '=', account).execute();
			await trx.deleteFrom('sessions').where('account_id', '=', account).execute();
			await audit.append(
				{
					actor: actorOf(by),
					action: 'factor.reset',
					target: name,
					detail: { factors: gone.length }
				},
				trx
			);
			return gone.length;
		}
	};
}
