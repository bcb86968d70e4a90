import { COMMAND_LINE } from '../../../platform/audit-trail/entry.ts';
import type { Account } from '../../identity/identity.ts';
import type { Role } from '../../identity/roles.ts';
import { addAccount } from '../accounts.ts';
import type { MemberDependencies } from './dependencies.ts';

/**
 * Adds an account with a password, at the command line.
 * @throws {AppError} `account.name-invalid`, `account.name-taken`, `account.name-confusable`,
 * `account.role-unknown`, or the fault of the password
 */
export async function add(
	{ db, audit }: MemberDependencies,
	person: { name: string; role: Role; password: string }
): Promise<Account> {
	return db.transaction().execute(async (trx) => {
		const account = await addAccount(trx, person);
		const { name: target, role } = account;
		const entry = {
			actor: COMMAND_LINE,
			action: 'account.added',
			target,
			detail: { role }
		} as const;
		await audit.append(entry, trx);
		return account;
	});
}
