import { AppError } from '../../../platform/errors/appError.ts';
import type { Account } from '../../identity/identity.ts';
import { passkeyConfirmation } from '../../second-factors/passkeys.ts';
import { findForSignIn } from '../accounts.ts';
import type { SignInDependencies } from './dependencies.ts';
import { proofOf, type GivenFactor } from './givenFactor.ts';
import { provePassword } from './provePassword.ts';

interface Confirmation {
	account: Account;
	password: string;
	address: string;
	/** Hash of the session that is confirmed. */
	idHash: string;
}

/** Confirmation of a session by a second factor. */
interface FactorConfirmation extends Omit<Confirmation, 'password'> {
	factor: GivenFactor;
}

/**
 * Confirms a session by the member's password.
 *
 * @throws {AppError} `account.wrong-password`, `account.throttled`, `account.session-ended`, `factor.needed`
 *   when the member has a second factor
 */
export async function confirm(
	deps: SignInDependencies,
	{ account, password, address, idHash }: Confirmation
): Promise<void> {
	const { db, sessions, audit } = deps;
	const known = await findForSignIn(db, account.name);
	if (known?.secondFactorAt !== null) throw new AppError('factor.needed');
	if (!(await provePassword(deps, account.name, password, address, `session ${idHash}`))) {
		throw new AppError('account.wrong-password');
	}
	await db.transaction().execute(async (trx) => {
		// Taken before the session's row, as when a session is ended: the same order prevents a deadlock.
		await audit.lock(trx);
		await sessions.confirm(idHash, trx);
		await audit.append(
			{ actor: account.name, action: 'session.confirmed', detail: { address } },
			trx
		);
	});
}

/**
 * Confirms a session by a second factor.
 * @throws {AppError} `factor.wrong-code`, `factor.wrong-passkey`, `account.throttled`
 */
export async function confirmByFactor(
	{ db, sessions, factors, audit }: SignInDependencies,
	{ factor, account, address, idHash }: FactorConfirmation
): Promise<void> {
	const proof = proofOf(factor, (site) => passkeyConfirmation(idHash, account, site));
	const shown = await factors.show(account, proof, { address, device: `session ${idHash}` });
	await db.transaction().execute(async (trx) => {
		// Taken before the session's row, as when a session is ended: the same order prevents a deadlock.
		await audit.lock(trx);
		await shown.use(trx);
		await sessions.confirm(idHash, trx);
		await audit.append(
			{
				actor: account.name,
				action: 'session.confirmed',
				detail: { address, factor: true }
			},
			trx
		);
	});
}
