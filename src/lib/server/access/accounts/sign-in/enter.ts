import { AppError } from '../../../platform/errors/appError.ts';
import type { Account } from '../../identity/identity.ts';
import { findForSignIn, type FoundForSignIn } from '../accounts.ts';
import { begin, refuseIfOutdated, type EnteringBrowser } from './begin.ts';
import type { SignInDependencies } from './dependencies.ts';
import { browserOf, type PendingLogin } from './pendingLogin.ts';

/**
 * Result of the first step: a session, or, where the member has a second factor, the id of a pending login.
 */
export type Entered = { needs: null; sessionId: string } | { needs: 'factor'; loginId: string };

/** Signs in a member who proved their identity, or begins a login that waits for the second factor. */
export async function enterFound(
	deps: SignInDependencies,
	found: FoundForSignIn,
	browser: EnteringBrowser,
	outdated: boolean
): Promise<Entered> {
	const { account } = found;
	if (found.secondFactorAt === null) {
		return { needs: null, sessionId: await begin(deps, found, browser, { factor: false }) };
	}
	const { issuer = null, providerSession = null } = browser;
	const holder = {
		accountId: account.id,
		browser: browserOf(browser.userAgent),
		provider: issuer === null ? null : { issuer, session: providerSession }
	};
	const content: PendingLogin = { outdated, issuer, providerSession };
	const { challenges } = deps.factors;
	const loginId = await challenges.make('login', holder, JSON.stringify(content));
	await refuseIfOutdated(deps, found, () => challenges.take(deps.db, 'login', loginId));
	return { needs: 'factor', loginId };
}

/** Signs in a member who proved their identity by other means than a second factor. */
export async function enter(
	deps: SignInDependencies,
	account: Account,
	browser: EnteringBrowser
): Promise<Entered> {
	const found = await findForSignIn(deps.db, account.name);
	if (!found || found.disabled) throw new AppError('account.wrong-credentials');
	return enterFound(deps, found, browser, false);
}
