/** Logins that passed the first step and wait for a second factor. */
import type { Account } from '../../identity/identity.ts';
import { findForSignInById } from '../accounts.ts';
import type { SignInDependencies } from './dependencies.ts';

/** What a pending login stores. */
export interface PendingLogin {
	outdated: boolean;
	/** Issuer of the single sign-on provider that identified the member; null: the password did. */
	issuer: string | null;
	/** The provider's id of its own session; left out by earlier versions. */
	providerSession?: string | null;
}

/** Returns what binds a pending login to its browser. */
export const browserOf = (userAgent: string | null): string => `agent ${userAgent ?? ''}`;

/** Finds a pending login in the browser in which it began; null when there is none. */
export async function findPendingLogin(
	{ db, factors, localLogin }: SignInDependencies,
	loginId: string,
	userAgent: string | null
) {
	const login = await factors.challenges.look('login', loginId, browserOf(userAgent));
	if (!login?.accountId) return null;
	const found = await findForSignInById(db, login.accountId);
	if (!found || found.disabled) return null;
	const begun = JSON.parse(login.content) as PendingLogin;
	// Local login may have been closed since the password was checked.
	if (begun.issuer === null && !(await localLogin.isOpenFor(found.account))) return null;
	return { found, ...begun };
}

/** Returns the account of a pending login; null when the login is over, or began in another browser. */
export async function pendingLogin(
	deps: SignInDependencies,
	loginId: string,
	userAgent: string | null
): Promise<Account | null> {
	return (await findPendingLogin(deps, loginId, userAgent))?.found.account ?? null;
}
