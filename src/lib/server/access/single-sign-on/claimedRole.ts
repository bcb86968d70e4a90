import type { Executor } from '../../platform/database/database.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { setRole } from '../accounts/accounts.ts';
import { refuseTheLastAdmin } from '../accounts/lastAdmin.ts';
import type { LocalLogin } from '../accounts/localLogin.ts';
import type { Audit } from '../audit/audit.ts';
import type { Account } from '../identity/identity.ts';
import type { Role } from '../identity/roles.ts';
import type { AccessTables } from '../tables.ts';

/**
 * Sets the role of an account from its claim, and logs a change. The last admin and the break-glass admin
 * keep their role, whatever the provider claims. The caller holds the audit lock.
 * @param role undefined: roles are assigned by admins here, not by claims
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
			// The configuration maps claims to roles; the member did not choose.
			actor: 'configuration',
			action: 'account.role-changed',
			target: name,
			detail: { from, to: role, by: { code: 'account-means', params: { means: 'single-sign-on' } } }
		},
		trx
	);
	return { ...account, role };
}
