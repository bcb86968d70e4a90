import { AppError } from '../../../platform/errors/appError.ts';
import type { Account } from '../../identity/identity.ts';
import { isUnchanged, type FoundForSignIn } from '../accounts.ts';
import type { SignInDependencies } from './dependencies.ts';

/** The browser that signs in. */
export interface EnteringBrowser {
	address: string;
	userAgent: string | null;
	/** Issuer of the single sign-on provider that identified the member. */
	issuer?: string | null;
	/** The provider's id of its own session. */
	providerSession?: string | null;
	/** The browser has not logged in under the name before. */
	isNew?: boolean;
}

/** How the member proved their identity. */
interface Beginning {
	/** A second factor was part of it. */
	factor: boolean;
	how?: 'password' | 'single sign-on' | 'passkey';
}

/** Begins a session in the browser that signs in. @returns the value of its cookie */
export const beginSession = (
	{ sessions }: SignInDependencies,
	{ id }: Account,
	{ address, userAgent, issuer = null, providerSession = null }: EnteringBrowser
): Promise<string> =>
	sessions.begin(id, {
		address,
		userAgent,
		...(issuer === null ? {} : { issuer, providerSession })
	});

/** Records in the audit log how a member signed in. */
export async function noteBegin(
	{ audit }: SignInDependencies,
	account: Account,
	{ address, issuer = null, isNew = false }: EnteringBrowser,
	{ factor, how = issuer === null ? 'password' : 'single sign-on' }: Beginning
): Promise<void> {
	await audit.append({
		actor: account.name,
		action: 'sign-in',
		detail: {
			address,
			how,
			...(issuer === null ? {} : { issuer }),
			...(factor ? { factor } : {}),
			...(isNew ? { browser: 'new' } : {})
		}
	});
}

/**
 * Refuses a sign-in whose account changed in the meantime. What has begun is stored already: a change either
 * ends it, or is seen here.
 * @param end ends what has begun
 * @throws {AppError} `account.wrong-credentials`
 */
export async function refuseIfOutdated(
	{ db }: SignInDependencies,
	found: FoundForSignIn,
	end: () => Promise<unknown>
): Promise<void> {
	if (await db.transaction().execute((trx) => isUnchanged(trx, found))) return;
	await end();
	throw new AppError('account.wrong-credentials');
}

/** Begins a session for a member who gave every proof that is required. */
export async function begin(
	deps: SignInDependencies,
	found: FoundForSignIn,
	browser: EnteringBrowser,
	how: Beginning
): Promise<string> {
	const { account } = found;
	const sessionId = await beginSession(deps, account, browser);
	await refuseIfOutdated(deps, found, () => deps.sessions.end(sessionId));
	await noteBegin(deps, account, browser, how);
	return sessionId;
}
