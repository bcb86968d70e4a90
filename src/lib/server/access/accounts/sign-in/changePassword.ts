import { AppError } from '../../../platform/errors/appError.ts';
import type { Account } from '../../policy/identity.ts';
import { isUnchanged, revokeAccess, storePassword, type KeptAccess } from '../accounts.ts';
import { checkNewPassword, hashPassword } from '../password.ts';
import type { SignInDependencies } from './dependencies.ts';
import { provePassword } from './provePassword.ts';

interface PasswordChange {
	account: Account;
	current: string;
	next: string;
	address: string;
	/** The session that it is changed in, which goes on; null: none. */
	idHash: string | null;
	/** What else goes on; all other sessions end, all other API tokens are revoked. */
	kept: KeptAccess;
}

/**
 * @returns how many sessions ended and how many API tokens were revoked
 * @throws {AppError} `account.wrong-current-password`, `account.throttled`, or what the new one lacks
 */
export async function changePassword(
	deps: SignInDependencies,
	{ account, current, next, address, idHash, kept }: PasswordChange
): Promise<{ sessions: number; tokens: number }> {
	const { db, audit } = deps;
	checkNewPassword(next, account.name);
	const proven = await provePassword(
		deps,
		account.name,
		current,
		address,
		idHash === null ? null : `session ${idHash}`
	);
	if (!proven) {
		throw new AppError('account.wrong-current-password');
	}
	const hash = await hashPassword(next);
	return db.transaction().execute(async (trx) => {
		// What opens a way into the account meanwhile is there before, or finds that its session has ended.
		await audit.lock(trx);
		// Whoever knew the password before a reset takes the account back by none.
		if (!(await isUnchanged(trx, proven))) throw new AppError('account.wrong-current-password');
		await storePassword(trx, account.id, hash);
		const own = idHash === null ? [] : [idHash];
		const revoked = await revokeAccess(trx, account.id, {
			sessions: [...own, ...kept.sessions],
			tokens: kept.tokens
		});
		await audit.append(
			{
				actor: account.name,
				action: 'password.changed',
				target: account.name,
				detail: revoked
			},
			trx
		);
		return revoked;
	});
}
