import { AppError } from '../../../platform/errors/appError.ts';
import type { Account } from '../../identity/identity.ts';
import { readAssertion } from '../../second-factors/passkeyAnswers.ts';
import type { PasskeySite } from '../../second-factors/passkeySite.ts';
import { passkeyLogin } from '../../second-factors/passkeys.ts';
import { findForSignInById } from '../accounts.ts';
import { begin, type EnteringBrowser } from './begin.ts';
import { refuseIfChangedOutside } from './changedOutside.ts';
import type { SignInDependencies } from './dependencies.ts';

/**
 * A login by passkey alone. It replaces both password and second factor, since the authenticator verifies its
 * user.
 */
interface PasskeyLogin extends EnteringBrowser {
	/** What the passkey signed. */
	answer: string;
	/** From the cookie of the browser that asked for the challenge. */
	cookie: string;
	site: PasskeySite | null;
	/** Device cookie that shows an earlier sign-in of this browser under the name; null for none. */
	device(name: string): string | null;
	previousSessionId: string | null;
}

/**
 * Begins a session by a passkey alone.
 * @throws {AppError} `factor.wrong-passkey` (the same for an unknown passkey, a wrong signature, a disabled
 * account, and one for which local login is closed), `account.throttled`
 */
export async function signInByPasskey(
	deps: SignInDependencies,
	{ answer, cookie, site, device, previousSessionId, ...browser }: PasskeyLogin
): Promise<{ account: Account; sessionId: string }> {
	const { db, sessions, throttle, localLogin, factors, audit, recordRefusal } = deps;
	const { address, userAgent } = browser;
	const takeBack = await throttle.attempt({
		// The pause must not reveal whether an account has this passkey.
		nameKey: `passkey ${readAssertion(answer)?.id ?? ''}`,
		address,
		device: null
	});
	const checked = await factors.passkeys.check(passkeyLogin(cookie, site), answer);
	const found = checked.accountId === null ? null : await findForSignInById(db, checked.accountId);
	const isClosed = found !== null && !(await localLogin.isOpenFor(found.account));
	if (checked.shown === null || found === null || found.disabled || isClosed) {
		const why = found?.disabled ? 'disabled' : 'closed';
		await recordRefusal({
			account: found?.account.name ?? null,
			address,
			reason: checked.shown === null ? checked.reason : why
		});
		throw new AppError('factor.wrong-passkey');
	}
	await takeBack();
	await refuseIfChangedOutside(deps, found);
	await db.transaction().execute(async (trx) => {
		await audit.lock(trx);
		await checked.shown.use(trx);
	});
	if (previousSessionId !== null) await sessions.end(previousSessionId);
	const { account } = found;
	const isNew = device(account.name) === null;
	const sessionId = await begin(
		deps,
		found,
		{ address, userAgent, isNew },
		{ factor: true, how: 'passkey' }
	);
	return { account, sessionId };
}
