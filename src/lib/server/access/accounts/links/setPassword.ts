import { AppError } from '../../../platform/errors/appError.ts';
import type { Account } from '../../identity/identity.ts';
import { revokeAccess, storePassword } from '../accounts.ts';
import { checkNewPassword, hashPassword } from '../password.ts';
import type { LinkDependencies } from './dependencies.ts';
import { unusable, useUp, working } from './workingLink.ts';

/**
 * Uses up a reset link: sets the password, ends all sessions of the account and revokes its API tokens.
 * @throws {AppError} `account.link-unusable`, or the fault of the password (the link then stays usable)
 */
export async function setPassword(
	deps: LinkDependencies,
	token: string,
	password: string
): Promise<Account> {
	const { db, audit, localLogin } = deps;
	const person = await working(deps, db, 'reset', { token });
	const { person_name, person_role } = person ?? {};
	if (!person_name || !person_role) throw unusable();
	if (!(await localLogin.isOpenFor({ name: person_name, role: person_role }))) {
		throw new AppError('sign-on.local-closed');
	}
	checkNewPassword(password, person_name);
	const hash = await hashPassword(password);
	return db.transaction().execute(async (trx) => {
		// Serializes with changes that open a way into the account: they commit before and are revoked here,
		// or find that their session has ended.
		await audit.lock(trx);
		const link = await working(deps, trx, 'reset', { token });
		const { account_id: id, person_name: name, person_role: role } = link ?? {};
		if (!link || !id || !name || !role) throw unusable();
		await useUp(trx, link.id);
		await storePassword(trx, id, hash);
		const revoked = await revokeAccess(trx, id);
		await audit.append(
			{
				actor: name,
				action: 'password.reset',
				target: name,
				detail: { by: { code: 'account-means', params: { means: 'password-link' } }, ...revoked }
			},
			trx
		);
		return { id, name, role };
	});
}
