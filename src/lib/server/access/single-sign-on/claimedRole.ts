import type { Executor } from '../../platform/database/database.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { setRole } from '../accounts/accounts.ts';
import { refuseTheLastAdmin } from '../accounts/lastAdmin.ts';
import type { LocalLogin } from '../accounts/localLogin.ts';
import type { Audit } from '../audit/audit.ts';
import type { Account } from '../policy/identity.ts';
import type { Role } from '../policy/roles.ts';
import type { AccessTables } from '../tables.ts';

/**
 * Gives an account the role of its claim, with an event where it is another than before. The last admin stays one,
 * and so does the one for emergencies, whatever the provider says. The caller holds the lock of the log.
 * @param role undefined: roles are given here
 */
export async function takeRoleOfClaim(
	trx: Executor<AccessTables>,
	audit: Audit,
	localLogin: LocalLogin,
	account: Account,
	role: Role | undefined
): Promise<Account> {
	const { id, name, role: from } = account;
	if (role === undefined || role === from) return account;
	try {
		if (from === 'admin') await refuseTheLastAdmin(trx, localLogin, account);
	} catch (error) {
		if (!isAppError(error, 'account.last-admin', 'account.break-glass-admin')) throw error;
		return account;
	}
	await setRole(trx, id, role);
	await audit.append(
		{
			// The map from claims to roles stands there, and the member did not choose.
			actor: 'configuration',
			action: 'account.role-changed',
			target: name,
			detail: { from, to: role, by: 'single sign-on' }
		},
		trx
	);
	return { ...account, role };
}
