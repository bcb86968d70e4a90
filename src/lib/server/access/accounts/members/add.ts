import { actorOf } from '../../../platform/audit-trail/entry.ts';
import { refuseFormerAdmin } from '../../identity/formerAdmin.ts';
import type { Account } from '../../identity/identity.ts';
import type { LinkMaker } from '../../identity/linkMaker.ts';
import type { Role } from '../../identity/roles.ts';
import { addAccount } from '../accounts.ts';
import type { MemberDependencies } from './dependencies.ts';

/**
 * Adds an account with a password.
 * @throws {AppError} `account.name-invalid`, `account.name-taken`, `account.name-confusable`,
 * `account.role-unknown`, or the fault of the password
 */
export async function add(
	{ db, audit }: MemberDependencies,
	by: LinkMaker,
	person: { name: string; role: Role; password: string }
): Promise<Account> {
	return db.transaction().execute(async (trx) => {
		const account = await addAccount(trx, person);
		const { name: target, role } = account;
		await audit.append(
			{ actor: actorOf(by), action: 'account.added', target, detail: { role } },
			trx
		);
		await refuseFormerAdmin(trx, by);
		return account;
	});
}
