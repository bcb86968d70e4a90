import { AppError } from '../../../platform/errors/appError.ts';
import type { Account } from '../../identity/identity.ts';
import { isUnchanged, revokeAccess, storePassword, type RetainedAccess } from '../accounts.ts';
import { checkNewPassword, hashPassword } from '../password.ts';
import type { SignInDependencies } from './dependencies.ts';
import { provePassword } from './provePassword.ts';

interface PasswordChange {
	account: Account;
	current: string;
	next: string;
	address: string;
	/** Hash of the session in which the password is changed, which stays open; null: none. */
	idHash: string | null;
	/** What else stays open; all other sessions end, all other API tokens are revoked. */
	kept: RetainedAccess;
}

/**
 * Changes a member's own password.
 * @returns the number of ended sessions and of revoked API tokens
 * @throws {AppError} `account.wrong-current-password`, `account.throttled`, or the fault of the new password
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
		// Serializes with changes that open a way into the account: they commit before and are revoked here,
		// or find that their session has ended.
		await audit.lock(trx);
		// A password reset that happened in the meantime wins: proving the old password must not undo it.
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
