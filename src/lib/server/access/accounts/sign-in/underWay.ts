/** Logins after the password, which wait for a second factor. */
import type { Account } from '../../policy/identity.ts';
import { findForSignInById } from '../accounts.ts';
import type { SignInDependencies } from './dependencies.ts';

/** What a login after the password holds. */
export interface LoginUnderWay {
	outdated: boolean;
	/** The provider of single sign-on that said who it is; null: the password. */
	issuer: string | null;
	/** What the provider calls its session; left out by earlier versions. */
	providerSession?: string | null;
}

export const browserOf = (userAgent: string | null): string => `agent ${userAgent ?? ''}`;

/** A login after the password, in the browser that it began in. */
export async function findUnderWay(
	{ db, factors, localLogin }: SignInDependencies,
	loginId: string,
	userAgent: string | null
) {
	const login = await factors.challenges.look('login', loginId, browserOf(userAgent));
	if (!login?.accountId) return null;
	const found = await findForSignInById(db, login.accountId);
	if (!found || found.disabled) return null;
	const begun = JSON.parse(login.content) as LoginUnderWay;
	// Local login may have been closed since the password was typed.
	if (begun.issuer === null && !(await localLogin.isOpenFor(found.account))) return null;
	return { found, ...begun };
}

/** The account of a login that waits for a factor; null when it is over, or of another browser. */
export async function underWay(
	deps: SignInDependencies,
	loginId: string,
	userAgent: string | null
): Promise<Account | null> {
	return (await findUnderWay(deps, loginId, userAgent))?.found.account ?? null;
}
