/** Accepting invitations. */
import type { AccountMeans } from '#lib/messages/audit/values.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/appError.ts';
import type { Account } from '../../identity/identity.ts';
import type { Role } from '../../identity/roles.ts';
import { giveWallets } from '../../policy/wallets/choice.ts';
import type { AccessTables } from '../../tables.ts';
import { addAccount, addAccountUnderOneOf, storePassword } from '../accounts.ts';
import { checkName } from '../../identity/names.ts';
import { checkNewPassword, hashPassword } from '../password.ts';
import type { LinkDependencies } from './dependencies.ts';
import { walletsOf } from './storedLink.ts';
import { unusable, useUp, working, type Which } from './workingLink.ts';

/**
 * Uses up an invitation, adds the account and logs it.
 * @throws {AppError}
 */
async function accepted(
	deps: LinkDependencies,
	trx: Executor<AccessTables>,
	which: Which,
	means: AccountMeans,
	add: (role: Role, name: string | null) => Promise<Account>
): Promise<Account> {
	// Orders this against a change that takes away the rights of the invitation's author: either this
	// transaction sees the change, or the change finds the new account.
	await deps.audit.lock(trx);
	const link = await working(deps, trx, 'invitation', which);
	if (!link?.role) throw unusable();
	await useUp(trx, link.id);
	const account = await add(link.role, link.name);
	const wallets = walletsOf(link.wallets);
	await giveWallets(trx, account.id, wallets);
	await deps.audit.append(
		{
			actor: account.name,
			action: 'account.added',
			target: account.name,
			detail: {
				role: account.role,
				by: { code: 'account-means', params: { means } },
				invitation: link.id,
				wallets: { code: 'wallets', params: wallets }
			}
		},
		trx
	);
	return account;
}

/**
 * Uses up an invitation and creates the account.
 * @throws {AppError} `account.link-unusable`, or the fault of the name or password (the link then stays
 * usable)
 */
export async function accept(
	deps: LinkDependencies,
	token: string,
	person: { name: string; password: string }
): Promise<Account> {
	const { db, localLogin } = deps;
	if (!(await localLogin.isOpen())) throw new AppError('sign-on.local-closed');
	const link = await working(deps, db, 'invitation', { token });
	if (!link) throw unusable();
	checkNewPassword(person.password, checkName(link.name ?? person.name));
	// Hashing is slow on purpose, so it is done before the lock that all other changes wait for is taken.
	const hash = await hashPassword(person.password);
	return db.transaction().execute((trx) =>
		accepted(deps, trx, { token }, 'invitation', async (role, name) => {
			const account = await addAccount(trx, { name: name ?? person.name, role, password: null });
			await storePassword(trx, account.id, hash);
			return account;
		})
	);
}

/**
 * Uses up an invitation for a person whom the single sign-on provider has identified, inside the transaction
 * that links the identity.
 * @param person.names candidate names, best first, used where the invitation's name is missing or no longer
 * free
 * @param person.role the role that the provider assigns; without it, the one of the invitation
 * @throws {AppError} `account.link-unusable`, `account.name-taken`
 */
export const acceptWithoutPassword = (
	deps: LinkDependencies,
	trx: Executor<AccessTables>,
	id: string,
	person: { names: readonly string[]; role: Role | undefined }
): Promise<Account> =>
	accepted(deps, trx, { id }, 'invitation-single-sign-on', (role, name) =>
		addAccountUnderOneOf(
			trx,
			name === null ? person.names : [name, ...person.names],
			person.role ?? role
		)
	);
