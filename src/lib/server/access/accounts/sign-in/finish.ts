import { AppError } from '../../../platform/errors/appError.ts';
import type { Account } from '../../identity/identity.ts';
import { passkeyAfterPassword } from '../../second-factors/passkeys.ts';
import { beginSession, noteBegin, type EnteringBrowser } from './begin.ts';
import { refuseIfChangedOutside } from './changedOutside.ts';
import type { SignInDependencies } from './dependencies.ts';
import { proofOf, type GivenFactor } from './givenFactor.ts';
import { findPendingLogin } from './pendingLogin.ts';

interface FactorLogin extends EnteringBrowser {
	/** From the cookie. */
	loginId: string;
	factor: GivenFactor;
	/** Device cookie that shows an earlier sign-in of this browser under the name; null for none. */
	device(name: string): string | null;
}

/**
 * Completes a login with the second factor and begins a session. Of two concurrent attempts one succeeds.
 * @throws {AppError} `factor.login-over`, `factor.wrong-code`, `factor.wrong-passkey`, `account.throttled`
 */
export async function finish(
	deps: SignInDependencies,
	{ loginId, factor, address, userAgent, device }: FactorLogin
): Promise<{ account: Account; sessionId: string; outdated: boolean }> {
	const { db, factors, sessions, audit } = deps;
	const login = await findPendingLogin(deps, loginId, userAgent);
	if (login === null) throw new AppError('factor.login-over');
	const { account } = login.found;
	await refuseIfChangedOutside(deps, login.found);
	const known = device(account.name);
	const proof = proofOf(factor, (site) => passkeyAfterPassword(loginId, account, site));
	const shown = await factors.show(account, proof, { address, device: known });
	const { issuer, providerSession = null } = login;
	const browser = { address, userAgent, issuer, providerSession, isNew: known === null };
	// The session begins before the login is used up: whatever ends the account's sessions meanwhile finds
	// one of the two.
	const sessionId = await beginSession(deps, account, browser);
	try {
		await db.transaction().execute(async (trx) => {
			// Taken before the login's row, as when a member is disabled: the same order prevents a deadlock.
			await audit.lock(trx);
			if (!(await factors.challenges.take(trx, 'login', loginId))) {
				throw new AppError('factor.login-over');
			}
			await shown.use(trx);
		});
	} catch (error) {
		await sessions.end(sessionId);
		throw error;
	}
	await noteBegin(deps, account, browser, { factor: true });
	return { account, sessionId, outdated: login.outdated };
}
