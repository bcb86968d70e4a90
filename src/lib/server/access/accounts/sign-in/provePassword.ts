import { findForSignIn, isUnchanged, storePassword, type FoundForSignIn } from '../accounts.ts';
import { nameKeyOf } from '../../identity/names.ts';
import { hashPassword, needsRehash, verifyPassword } from '../password.ts';
import { refuseIfChangedOutside } from './changedOutside.ts';
import type { SignInDependencies } from './dependencies.ts';

/**
 * Checks a password; null when it was refused. Always does one argon2 computation, so that the time does not
 * tell the reason.
 */
export async function provePassword(
	deps: SignInDependencies,
	name: string,
	password: string,
	address: string,
	device: string | null
): Promise<FoundForSignIn | null> {
	const { db, throttle, localLogin, audit, recordRefusal } = deps;
	const attempt = { nameKey: nameKeyOf(name), address, device };
	const takeBack = await throttle.attempt(attempt);
	const found = await findForSignIn(db, name);
	const matches = await verifyPassword(found?.passwordHash ?? null, password);
	const isOpen = found !== null && (await localLogin.isOpenFor(found.account));
	if (!found || !matches || found.disabled || !isOpen) {
		const reason = found && matches ? (found.disabled ? 'disabled' : 'closed') : 'credentials';
		await recordRefusal({ account: found?.account.name ?? null, address, reason });
		return null;
	}
	await takeBack();
	await refuseIfChangedOutside(deps, found);
	if (found.passwordHash === null || !needsRehash(found.passwordHash)) return found;
	const hash = await hashPassword(password);
	return db.transaction().execute(async (trx) => {
		await audit.lock(trx);
		// One that was changed meanwhile stays the new one.
		if (!(await isUnchanged(trx, found))) return null;
		await storePassword(trx, found.account.id, hash);
		await audit.append({ actor: found.account.name, action: 'password.rehashed' }, trx);
		return findForSignIn(trx, name);
	});
}
