/** Accounts while an admin changes them. */
import type { Executor } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/appError.ts';
import { refuseFormerAdmin } from '../../identity/formerAdmin.ts';
import type { LinkMaker } from '../../identity/linkMaker.ts';
import type { Role } from '../../identity/roles.ts';
import type { AccessTables } from '../../tables.ts';
import type { MemberDependencies } from './dependencies.ts';

/** An account before a change. */
interface AccountStatus {
	id: string;
	name: string;
	role: Role;
	disabled: boolean;
}

/** Reads an account before a change. @throws {AppError} `account.unknown` */
export async function readAccount(trx: Executor<AccessTables>, id: string): Promise<AccountStatus> {
	const row = await trx
		.selectFrom('accounts')
		.select(['name', 'role', 'disabled_at'])
		.where('id', '=', id)
		.executeTakeFirst();
	if (!row) throw new AppError('account.unknown');
	const { name, role, disabled_at } = row;
	return { id, name, role, disabled: disabled_at !== null };
}

/** Takes the audit lock first, so that two admins cannot remove each other at once. */
export async function lockedAccount(
	{ audit }: Pick<MemberDependencies, 'audit'>,
	trx: Executor<AccessTables>,
	id: string
): Promise<AccountStatus> {
	await audit.lock(trx);
	return readAccount(trx, id);
}

/** Changes an account in a transaction, for an admin who still is one. */
export const changing = <T>(
	deps: MemberDependencies,
	by: LinkMaker,
	accountId: string,
	change: (trx: Executor<AccessTables>, before: AccountStatus) => Promise<T>
): Promise<T> =>
	deps.db.transaction().execute(async (trx) => {
		const before = await lockedAccount(deps, trx, accountId);
		await refuseFormerAdmin(trx, by);
		return change(trx, before);
	});
