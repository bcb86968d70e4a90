import { factsOfRow } from '../../../platform/audit-trail/recorded.ts';
import { AppError } from '../../../platform/errors/appError.ts';
import { findForSignIn, type FoundForSignIn } from '../accounts.ts';
import { NO_PASSWORD } from '../tables.ts';
import type { SignInDependencies } from './dependencies.ts';

/**
 * Lets nobody in by a row that is not what the log says. It is read anew: what a member changed since is in the log,
 * and refuses whoever comes with what was before.
 * @throws {AppError} `account.changed-outside`, or `account.wrong-credentials` where it is disabled or renamed by now
 */
export async function refuseIfChangedOutside(
	{ db, audit }: SignInDependencies,
	{ account: { name } }: FoundForSignIn
): Promise<void> {
	const known = await audit.recorded.vouch(
		async () => {
			const found = await findForSignIn(db, name);
			return found === null || found.disabled ? undefined : found;
		},
		({ account: { id, ...now }, passwordHash, secondFactorAt }) => {
			const row = {
				...now,
				password_hash: passwordHash ?? NO_PASSWORD,
				disabled_at: null,
				second_factor_at: secondFactorAt
			};
			return [{ table: 'accounts', key: [id], facts: factsOfRow('accounts', row) }];
		}
	);
	if (known?.vouched) return;
	if (known === null) throw new AppError('account.wrong-credentials');
	await audit.append({ actor: name, action: 'sign-in.refused', detail: { reason: 'changed' } });
	throw new AppError('account.changed-outside');
}
