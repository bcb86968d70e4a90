import { addAccount } from '#lib/server/auth/accounts.ts';
import { createAuth, type Auth } from '#lib/server/auth/auth.ts';
import type { HeaderReader } from '#lib/server/auth/identify.ts';
import type { Account } from '#lib/server/auth/identity.ts';
import type { Role } from '#lib/server/auth/roles.ts';
import { SESSION_COOKIE } from '#lib/server/auth/session.ts';
import type { TestDatabase } from './database.ts';

/** The password of everybody whom {@link addPerson} adds. */
export const PASSWORD = 'correct horse battery staple';

/** The sign-in code over a suite's database. */
export function authOver(
	database: TestDatabase,
	options: { publicBrowsing?: boolean; origin?: string } = {}
): Promise<Auth> {
	return createAuth(database.db, {
		dataDir: database.dataDir,
		publicBrowsing: options.publicBrowsing ?? false,
		origin: options.origin
	});
}

let count = 0;

/** Adds an account; the name is made up unless given. */
export function addPerson(database: TestDatabase, role: Role, name?: string): Promise<Account> {
	count += 1;
	return addAccount(database.db, { name: name ?? `${role}-${count}`, role, password: PASSWORD });
}

/** Signs a person in from the given address. */
export async function signInAs(
	auth: Auth,
	account: Account,
	more: { password?: string; address?: string; previousSessionId?: string | null } = {}
): Promise<string> {
	const { sessionId } = await auth.signIn({
		name: account.name,
		password: more.password ?? PASSWORD,
		address: more.address ?? '192.0.2.1',
		userAgent: 'a browser',
		previousSessionId: more.previousSessionId ?? null
	});
	return sessionId;
}

/** Request headers that show a session. */
export function withSession(id: string, more: Record<string, string> = {}): HeaderReader {
	return new Headers({ ...more, cookie: `other=1; ${SESSION_COOKIE}=${id}` });
}

/** Request headers that show a token. */
export function withToken(token: string, more: Record<string, string> = {}): HeaderReader {
	return new Headers({ ...more, authorization: `Bearer ${token}` });
}
