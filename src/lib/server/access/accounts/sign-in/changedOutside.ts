import { factsOfRow } from '../../../platform/audit-trail/recorded.ts';
import { AppError } from '../../../platform/errors/appError.ts';
import { findForSignIn, type FoundForSignIn } from '../accounts.ts';
import { NO_PASSWORD } from '../tables.ts';
import type { SignInDependencies } from './dependencies.ts';

/**
 * Refuses to sign in by a row that does not match the audit log. The row is read again, because a change by
 * the member since then is in the log, and must refuse proofs of the earlier state.
 * @throws {AppError} `account.changed-outside`, or `account.wrong-credentials` where the account was disabled
 * or renamed meanwhile
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
