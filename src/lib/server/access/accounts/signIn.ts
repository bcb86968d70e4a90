import { factsOfRow } from '../../platform/audit-trail/recorded.ts';
import type { Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { Audit } from '../audit/audit.ts';
import type { Account } from '../policy/identity.ts';
import type { AccessTables } from '../tables.ts';
import {
	passkeyAfterPassword,
	passkeyConfirmation,
	passkeyLogin,
	type Ceremony
} from '../second-factors/passkeys.ts';
import type { PasskeySite } from '../second-factors/passkeySite.ts';
import { readAssertion } from '../second-factors/passkeyAnswers.ts';
import type { FactorProof } from '../second-factors/factorCheck.ts';
import type { SecondFactors } from '../second-factors/secondFactors.ts';
import {
	findForSignIn,
	isUnchanged,
	revokeAccess,
	storePassword,
	type FoundForSignIn,
	type KeptAccess
} from './accounts.ts';
import type { LocalLogin } from './localLogin.ts';
import type { LoginThrottle } from './loginThrottle.ts';
import { nameKeyOf } from './names.ts';
import {
	checkNewPassword,
	hashPassword,
	needsRehash,
	passwordFault,
	verifyPassword
} from './password.ts';
import type { Sessions } from './session.ts';
import { NO_PASSWORD } from './tables.ts';

export interface SignInRequest {
	name: string;
	password: string;
	/** The network address of the browser. */
	address: string;
	userAgent: string | null;
	/** What shows that this browser has signed in under the name before; see `devices.ts`. */
	device: string | null;
	/** The session id that the browser showed, if any: it ends, so that nobody's old id becomes this person's. */
	previousSessionId: string | null;
}

/** How a browser goes on: with a session, or, where the member has a second factor, with what leads to one. */
export type Entered = { needs: null; sessionId: string } | { needs: 'factor'; loginId: string };

export type SignedIn = Entered & {
	account: Account;
	/** The password would be refused as a new one today: its person should choose another. */
	outdated: boolean;
};

/** The browser that somebody comes with. */
export interface EnteringBrowser {
	address: string;
	userAgent: string | null;
	/** The provider that says who it is, by single sign-on. */
	issuer?: string | null;
	/** What the provider calls its session. */
	providerSession?: string | null;
	/** It has not logged in under the name before. */
	isNew?: boolean;
}

/** What a login after the password holds. */
interface LoginUnderWay {
	outdated: boolean;
	/** The provider of single sign-on that said who it is; null: the password. */
	issuer: string | null;
	/** What the provider calls its session; left out by earlier versions. */
	providerSession?: string | null;
}

/** A code of an app or on paper, or what a passkey signed at a site; null: where there are no passkeys. */
type GivenFactor = { code: string } | { passkey: string; site: PasskeySite | null };

export interface FactorLogin extends EnteringBrowser {
	/** From the cookie. */
	loginId: string;
	factor: GivenFactor;
	/** What shows that this browser has signed in under the name before. */
	device(name: string): string | null;
}

export interface PasswordChange {
	account: Account;
	current: string;
	next: string;
	address: string;
	/** The session that it is changed in, which goes on; null: none. */
	idHash: string | null;
	/** What else goes on; all other sessions end, all other API tokens are revoked. */
	kept: KeptAccess;
}

export interface Confirmation {
	account: Account;
	password: string;
	address: string;
	/** The session that is confirmed. */
	idHash: string;
}

/** A session that is confirmed by a factor. */
export interface FactorConfirmation extends Omit<Confirmation, 'password'> {
	factor: GivenFactor;
}

/** A login by passkey alone, which takes the place of the password and of the factor: its person was verified. */
export interface PasskeyLogin extends EnteringBrowser {
	/** What the passkey signed. */
	answer: string;
	/** From the cookie of the browser that asked for the challenge. */
	cookie: string;
	site: PasskeySite | null;
	/** What shows that this browser has signed in under the name before. */
	device(name: string): string | null;
	previousSessionId: string | null;
}

export interface SignIn {
	/**
	 * Checks name and password and begins a session with a new id; where the member has a second factor, only what
	 * asks for it.
	 *
	 * @throws {AppError} `account.wrong-credentials` (the same for an unknown name, a wrong password, a
	 *   disabled account, and one for which local login is closed), `throttled`
	 */
	signIn(request: SignInRequest): Promise<SignedIn>;
	/** For whoever showed who they are in another way than by a factor. */
	enter(account: Account, browser: EnteringBrowser, outdated?: boolean): Promise<Entered>;
	/** The account of a login that waits for a factor; null when it is over, or of another browser. */
	underWay(loginId: string, userAgent: string | null): Promise<Account | null>;
	/**
	 * Ends a login with the second factor and begins a session. Of two at the same moment one gets in.
	 *
	 * @throws {AppError} `factor.login-over`, `factor.wrong-code`, `factor.wrong-passkey`, `account.throttled`
	 */
	finish(login: FactorLogin): Promise<{ account: Account; sessionId: string; outdated: boolean }>;
	/**
	 * Begins a session by a passkey alone.
	 *
	 * @throws {AppError} `factor.wrong-passkey` (the same for an unknown passkey, a wrong signature, a disabled account,
	 *   and one for which local login is closed), `account.throttled`
	 */
	signInByPasskey(login: PasskeyLogin): Promise<{ account: Account; sessionId: string }>;
	/**
	 * Notes that the person of a session is still there, after they typed their password once more.
	 *
	 * @throws {AppError} `account.wrong-password`, `account.throttled`, `factor.needed` where they have a factor
	 */
	confirm(confirmation: Confirmation): Promise<void>;
	/** The same by a second factor. @throws {AppError} `factor.wrong-code`, `factor.wrong-passkey`, `account.throttled` */
	confirmByFactor(confirmation: FactorConfirmation): Promise<void>;
	/**
	 * @returns how many sessions ended and how many API tokens were revoked
	 * @throws {AppError} `account.wrong-current-password`, `account.throttled`, or what the new one lacks
	 */
	changePassword(change: PasswordChange): Promise<{ sessions: number; tokens: number }>;
}

/** How somebody showed who they are. */
interface Beginning {
	/** A second factor was among it. */
	factor: boolean;
	how?: 'password' | 'single sign-on' | 'passkey';
}

export function createSignIn(
	db: Executor<AccessTables>,
	sessions: Sessions,
	throttle: LoginThrottle,
	localLogin: LocalLogin,
	factors: SecondFactors,
	audit: Audit
): SignIn {
	/**
	 * Lets nobody in by a row that is not what the log says. It is read anew: what a member changed since is in the log,
	 * and refuses whoever comes with what was before.
	 * @throws {AppError} `account.changed-outside`, or `account.wrong-credentials` where it is disabled or renamed by now
	 */
	async function refuseIfChangedOutside({ account: { name } }: FoundForSignIn): Promise<void> {
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

	/** One argon2 computation and the same sentence whatever was wrong. */
	async function prove(
		name: string,
		password: string,
		address: string,
		device: string | null
	): Promise<FoundForSignIn | null> {
		const attempt = { nameKey: nameKeyOf(name), address, device };
		const takeBack = await throttle.attempt(attempt);
		const found = await findForSignIn(db, name);
		const matches = await verifyPassword(found?.passwordHash ?? null, password);
		const isOpen = found !== null && (await localLogin.isOpenFor(found.account));
		if (!found || !matches || found.disabled || !isOpen) {
			const reason = found && matches ? (found.disabled ? 'disabled' : 'closed') : 'credentials';
			await audit.append({
				actor: found ? found.account.name : 'visitor',
				action: 'sign-in.refused',
				detail: { address, reason }
			});
			return null;
		}
		await takeBack();
		await refuseIfChangedOutside(found);
		if (found.passwordHash === null || !needsRehash(found.passwordHash)) return found;
		const hash = await hashPassword(password);
		return db.transaction().execute(async (trx) => {
			// One that was changed meanwhile stays the new one.
			if (!(await isUnchanged(trx, found))) return null;
			await storePassword(trx, found.account.id, hash);
			await audit.append({ actor: found.account.name, action: 'password.rehashed' }, trx);
			return findForSignIn(trx, name);
		});
	}

	const browserOf = (userAgent: string | null): string => `agent ${userAgent ?? ''}`;

	const beginSession = (
		{ id }: Account,
		{ address, userAgent, issuer = null, providerSession = null }: EnteringBrowser
	): Promise<string> =>
		sessions.begin(id, {
			address,
			userAgent,
			...(issuer === null ? {} : { issuer, providerSession })
		});

	async function noteBegin(
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
	 * Lets nobody in by what a change made void in the meantime: what has begun is there already, so whatever changes
	 * the account ends it, or is seen here.
	 * @param end ends what has begun
	 * @throws {AppError} `account.wrong-credentials`
	 */
	async function refuseIfOutdated(found: FoundForSignIn, end: () => Promise<unknown>) {
		if (await db.transaction().execute((trx) => isUnchanged(trx, found))) return;
		await end();
		throw new AppError('account.wrong-credentials');
	}

	async function begin(
		found: FoundForSignIn,
		browser: EnteringBrowser,
		how: Beginning
	): Promise<string> {
		const { account } = found;
		const sessionId = await beginSession(account, browser);
		await refuseIfOutdated(found, () => sessions.end(sessionId));
		await noteBegin(account, browser, how);
		return sessionId;
	}

	async function enter(
		found: FoundForSignIn,
		browser: EnteringBrowser,
		outdated: boolean
	): Promise<Entered> {
		const { account } = found;
		if (found.secondFactorAt === null) {
			return { needs: null, sessionId: await begin(found, browser, { factor: false }) };
		}
		const { issuer = null, providerSession = null } = browser;
		const holder = {
			accountId: account.id,
			browser: browserOf(browser.userAgent),
			provider: issuer === null ? null : { issuer, session: providerSession }
		};
		const content: LoginUnderWay = { outdated, issuer, providerSession };
		const { challenges } = factors;
		const loginId = await challenges.make('login', holder, JSON.stringify(content));
		await refuseIfOutdated(found, () => challenges.take(db, 'login', loginId));
		return { needs: 'factor', loginId };
	}

	async function findById(accountId: string): Promise<FoundForSignIn | null> {
		const row = await db
			.selectFrom('accounts')
			.select(['name'])
			.where('id', '=', accountId)
			.executeTakeFirst();
		return row ? findForSignIn(db, row.name) : null;
	}

	/** A login after the password, in the browser that it began in. */
	async function underWay(loginId: string, userAgent: string | null) {
		const login = await factors.challenges.look('login', loginId, browserOf(userAgent));
		if (!login?.accountId) return null;
		const found = await findById(login.accountId);
		if (!found || found.disabled) return null;
		const begun = JSON.parse(login.content) as LoginUnderWay;
		// Local login may have been closed since the password was typed.
		if (begun.issuer === null && !(await localLogin.isOpenFor(found.account))) return null;
		return { found, ...begun };
	}

	const proofOf = (
		given: GivenFactor,
		ceremony: (site: PasskeySite | null) => Ceremony
	): FactorProof =>
		'code' in given ? given : { passkey: given.passkey, ceremony: ceremony(given.site) };

	return {
		async signIn(request) {
			const found = await prove(request.name, request.password, request.address, request.device);
			if (!found) {
				throw new AppError('account.wrong-credentials');
			}
			const { account } = found;
			if (request.previousSessionId !== null) {
				await sessions.end(request.previousSessionId);
			}
			const outdated = passwordFault(request.password, account.name) !== null;
			return {
				account,
				outdated,
				...(await enter(found, { ...request, isNew: request.device === null }, outdated))
			};
		},

		async enter(account, browser, outdated = false) {
			const found = await findForSignIn(db, account.name);
			if (!found || found.disabled) throw new AppError('account.wrong-credentials');
			return enter(found, browser, outdated);
		},

		async underWay(loginId, userAgent) {
			return (await underWay(loginId, userAgent))?.found.account ?? null;
		},

		async finish({ loginId, factor, address, userAgent, device }) {
			const login = await underWay(loginId, userAgent);
			if (login === null) throw new AppError('factor.login-over');
			const { account } = login.found;
			await refuseIfChangedOutside(login.found);
			const known = device(account.name);
			const proof = proofOf(factor, (site) => passkeyAfterPassword(loginId, account, site));
			const shown = await factors.show(account, proof, { address, device: known });
			const { issuer, providerSession = null } = login;
			const browser = { address, userAgent, issuer, providerSession, isNew: known === null };
			// Begun before the login is used up: whatever ends the sessions meanwhile finds one of the two.
			const sessionId = await beginSession(account, browser);
			try {
				await db.transaction().execute(async (trx) => {
					if (!(await factors.challenges.take(trx, 'login', loginId))) {
						throw new AppError('factor.login-over');
					}
					await shown.use(trx);
				});
			} catch (error) {
				await sessions.end(sessionId);
				throw error;
			}
			await noteBegin(account, browser, { factor: true });
			return { account, sessionId, outdated: login.outdated };
		},

		async confirm({ account, password, address, idHash }) {
			const known = await findForSignIn(db, account.name);
			if (known?.secondFactorAt !== null) throw new AppError('factor.needed');
			if (!(await prove(account.name, password, address, `session ${idHash}`))) {
				throw new AppError('account.wrong-password');
			}
			await db.transaction().execute(async (trx) => {
				await sessions.confirm(idHash, trx);
				await audit.append(
					{ actor: account.name, action: 'session.confirmed', detail: { address } },
					trx
				);
			});
		},

		async signInByPasskey({ answer, cookie, site, device, previousSessionId, ...browser }) {
			const { address, userAgent } = browser;
			const takeBack = await throttle.attempt({
				// Whether it is anybody's does not show in how long it waits.
				nameKey: `passkey ${readAssertion(answer)?.id ?? ''}`,
				address,
				device: null
			});
			const checked = await factors.passkeys.check(passkeyLogin(cookie, site), answer);
			const found = checked.accountId === null ? null : await findById(checked.accountId);
			const isClosed = found !== null && !(await localLogin.isOpenFor(found.account));
			if (checked.shown === null || found === null || found.disabled || isClosed) {
				const why = found?.disabled ? 'disabled' : 'closed';
				await audit.append({
					actor: found?.account.name ?? 'visitor',
					action: 'sign-in.refused',
					detail: { address, reason: checked.shown === null ? checked.reason : why }
				});
				throw new AppError('factor.wrong-passkey');
			}
			await takeBack();
			await refuseIfChangedOutside(found);
			await db.transaction().execute((trx) => checked.shown.use(trx));
			if (previousSessionId !== null) await sessions.end(previousSessionId);
			const { account } = found;
			const isNew = device(account.name) === null;
			const sessionId = await begin(
				found,
				{ address, userAgent, isNew },
				{ factor: true, how: 'passkey' }
			);
			return { account, sessionId };
		},

		async confirmByFactor({ factor, account, address, idHash }) {
			const proof = proofOf(factor, (site) => passkeyConfirmation(idHash, account, site));
			const shown = await factors.show(account, proof, { address, device: `session ${idHash}` });
			await db.transaction().execute(async (trx) => {
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
		},

		async changePassword({ account, current, next, address, idHash, kept }) {
			checkNewPassword(next, account.name);
			const proven = await prove(
				account.name,
				current,
				address,
				idHash === null ? null : `session ${idHash}`
			);
			if (!proven) {
				throw new AppError('account.wrong-current-password');
			}
			const hash = await hashPassword(next);
			return db.transaction().execute(async (trx) => {
				// What opens a way into the account meanwhile is there before, or finds that its session has ended.
				await audit.lock(trx);
				// Whoever knew the password before a reset takes the account back by none.
				if (!(await isUnchanged(trx, proven))) throw new AppError('account.wrong-current-password');
				await storePassword(trx, account.id, hash);
				const own = idHash === null ? [] : [idHash];
				const revoked = await revokeAccess(trx, account.id, {
					sessions: [...own, ...kept.sessions],
					tokens: kept.tokens
				});
				await audit.append(
					{
						actor: account.name,
						action: 'password.changed',
						target: account.name,
						detail: revoked
					},
					trx
				);
				return revoked;
			});
		}
	};
}
