import type { Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { LocalLogin } from '../accounts/localLogin.ts';
import { NO_PASSWORD } from '../accounts/tables.ts';
import type { AccessTables } from '../tables.ts';
import type { LinkedIdentity } from './identities.ts';
import { isSameIssuer } from './issuers.ts';

/**
 * Refuses to remove an identity by which alone a member can log in: no password opens the account now, and no
 * other identity at the provider does. The caller holds the audit lock, as does the closing of local login.
 * @param provider the configured issuer: identities at other ones let no one in
 * @throws {AppError} `sign-on.last-way`
 */
export async function requireOtherSignIn(
	trx: Executor<AccessTables>,
	localLogin: LocalLogin,
	accountId: string,
	provider: string,
	{ issuer, subject }: Pick<LinkedIdentity, 'issuer' | 'subject'>
): Promise<void> {
	const withPassword = await trx
		.selectFrom('accounts')
		.select(['name', 'role'])
		.where('id', '=', accountId)
		.where('password_hash', '!=', NO_PASSWORD)
		.executeTakeFirst();
	if (withPassword && (await localLogin.isOpenFor(withPassword, trx))) return;
	const others = await trx
		.selectFrom('identities')
		.select('issuer')
		.where('account_id', '=', accountId)
		.where((where) => where.or([where('issuer', '!=', issuer), where('subject', '!=', subject)]))
		.execute();
	if (!others.some((other) => isSameIssuer(other.issuer, provider)))
		throw new AppError('sign-on.last-way');
}
