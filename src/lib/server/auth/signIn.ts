import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { stands } from '../guards/stands.ts';
import { findForSignIn, nameKeyOf, storePassword } from './accounts.ts';
import type { Audit } from './audit.ts';
import { AuthError } from './errors.ts';
import type { Account } from './identity.ts';
import type { LoginThrottle } from './loginThrottle.ts';
import { checkNewPassword, needsRehash, verifyPassword } from './password.ts';
import type { Sessions } from './session.ts';

export interface SignInRequest {
	name: string;
	password: string;
	/** The network address of the browser. */
	address: string;
	userAgent: string | null;
	/** The session id that the browser showed, if any: it ends, so that nobody's old id becomes this person's. */
	previousSessionId: string | null;
}

export interface PasswordChange {
	account: Account;
	current: string;
	next: string;
	address: string;
	/** The session that goes on; all others end. */
	keepIdHash: string | null;
}

export interface SignIn {
	/**
	 * Checks name and password and begins a session with a new id.
	 *
	 * @throws {AuthError} `wrong-credentials` (the same for an unknown name, a wrong password and a
	 *   disabled account), `throttled`
	 */
	signIn(request: SignInRequest): Promise<{ account: Account; sessionId: string }>;
	/** @throws {AuthError} `wrong-credentials` (field `current`), `throttled`, or what the new one lacks */
	changePassword(change: PasswordChange): Promise<void>;
}

export function createSignIn(
	db: Kysely<Schema>,
	sessions: Sessions,
	throttle: LoginThrottle,
	audit: Audit
): SignIn {
	/** One argon2 computation and the same sentence whatever was wrong. */
	async function prove(name: string, password: string, address: string): Promise<Account | null> {
		const nameKey = nameKeyOf(name);
		await throttle.attempt(nameKey, address);
		const found = await findForSignIn(db, name);
		const matches = await verifyPassword(found?.passwordHash ?? null, password);
		if (!found || !matches || found.disabled) {
			await audit.append({
				actor: found ? found.account.name : 'visitor',
				action: 'sign-in.refused',
				detail: { address, reason: found?.disabled && matches ? 'disabled' : 'credentials' }
			});
			return null;
		}
		await throttle.succeeded(nameKey, address);
		if (needsRehash(found.passwordHash)) await storePassword(db, found.account.id, password);
		return found.account;
	}

	return {
		async signIn(request) {
			const account = await prove(request.name, request.password, request.address);
			if (!account) {
				throw new AuthError('wrong-credentials', 'Name or password is wrong.', {
					field: 'password'
				});
			}
			if (request.previousSessionId !== null && stands('earlier-session-ends')) {
				await sessions.end(request.previousSessionId);
			}
			const sessionId = await sessions.begin(account.id, {
				address: request.address,
				userAgent: request.userAgent
			});
			await audit.append({
				actor: account.name,
				action: 'sign-in',
				detail: { address: request.address }
			});
			return { account, sessionId };
		},

		async changePassword({ account, current, next, address, keepIdHash }) {
			checkNewPassword(next, account.name);
			const proven = await prove(account.name, current, address);
			if (!proven) {
				throw new AuthError('wrong-credentials', 'This is not the current password.', {
					field: 'current'
				});
			}
			await db.transaction().execute(async (trx) => {
				await storePassword(trx, account.id, next);
				await sessions.endOthers(account.id, keepIdHash, trx);
				await audit.append(
					{ actor: account.name, action: 'password.changed', target: account.name },
					trx
				);
			});
		}
	};
}
