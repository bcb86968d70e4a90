import { factsOfRow } from '../../platform/audit-trail/recorded.ts';
import type { Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { Audit } from '../audit/audit.ts';
import type { Account } from '../policy/identity.ts';
import type { AccessTables } from '../tables.ts';
import { findForSignIn, revokeAccess, storePassword, type KeptAccess } from './accounts.ts';
import type { LocalLogin } from './localLogin.ts';
import type { LoginThrottle } from './loginThrottle.ts';
import { nameKeyOf } from './names.ts';
import { checkNewPassword, needsRehash, passwordFault, verifyPassword } from './password.ts';
import type { Sessions } from './session.ts';

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

export interface SignedIn {
	account: Account;
	sessionId: string;
	/** The password would be refused as a new one today: its person should choose another. */
	outdated: boolean;
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

export interface SignIn {
	/**
	 * Checks name and password and begins a session with a new id.
	 *
	 * @throws {AppError} `account.wrong-credentials` (the same for an unknown name, a wrong password, a
	 *   disabled account, and one for which local login is closed), `throttled`
	 */
	signIn(request: SignInRequest): Promise<SignedIn>;
	/**
	 * Notes that the person of a session is still there, after they typed their password once more.
	 *
	 * @throws {AppError} `account.wrong-password`, `account.throttled`
	 */
	confirm(confirmation: Confirmation): Promise<void>;
	/**
	 * @returns how many sessions ended and how many API tokens were revoked
	 * @throws {AppError} `account.wrong-current-password`, `account.throttled`, or what the new one lacks
	 */
	changePassword(change: PasswordChange): Promise<{ sessions: number; tokens: number }>;
}

export function createSignIn(
	db: Executor<AccessTables>,
	sessions: Sessions,
	throttle: LoginThrottle,
	localLogin: LocalLogin,
	audit: Audit
): SignIn {
	/** Lets nobody in by a row that is not what the log says. @throws {AppError} `account.changed-outside` */
	async function refuseIfChanged(found: {
		account: Account;
		passwordHash: string | null;
	}): Promise<void> {
		const { id, name, role } = found.account;
		const row = { name, role, password_hash: found.passwordHash, disabled_at: null };
		const facts = factsOfRow('accounts', row);
		const known = await audit.recorded.vouch(
			() => Promise.resolve(found),
			() => [{ table: 'accounts', key: [id], facts }]
		);
		if (known?.vouched) return;
		await audit.append({ actor: name, action: 'sign-in.refused', detail: { reason: 'changed' } });
		throw new AppError('account.changed-outside');
	}

	/** One argon2 computation and the same sentence whatever was wrong. */
	async function prove(
		name: string,
		password: string,
		address: string,
		device: string | null
	): Promise<Account | null> {
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
		await refuseIfChanged(found);
		if (found.passwordHash !== null && needsRehash(found.passwordHash)) {
			await db.transaction().execute(async (trx) => {
				await storePassword(trx, found.account.id, password);
				await audit.append({ actor: found.account.name, action: 'password.rehashed' }, trx);
			});
		}
		return found.account;
	}

	return {
		async signIn(request) {
			const account = await prove(request.name, request.password, request.address, request.device);
			if (!account) {
				throw new AppError('account.wrong-credentials');
			}
			if (request.previousSessionId !== null) {
				await sessions.end(request.previousSessionId);
			}
			const sessionId = await sessions.begin(account.id, {
				address: request.address,
				userAgent: request.userAgent
			});
			await audit.append({
				actor: account.name,
				action: 'sign-in',
				detail: { address: request.address, how: 'password' }
			});
			const outdated = passwordFault(request.password, account.name) !== null;
			return { account, sessionId, outdated };
		},

		async confirm({ account, password, address, idHash }) {
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
			return db.transaction().execute(async (trx) => {
				await storePassword(trx, account.id, next);
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
