import type { Kysely } from 'kysely';
import { addAccount } from '#lib/server/access/accounts/accounts.ts';
import { hashPassword } from '#lib/server/access/accounts/password.ts';
import { openKeys } from '#lib/server/access/accounts/keys.ts';
import { SESSION_COOKIE } from '#lib/server/access/accounts/sessions/sessionCookie.ts';
import { createAudit, type Audit } from '#lib/server/access/audit/audit.ts';
import type { Account, Identity, Member } from '#lib/server/access/identity/identity.ts';
import type { Role } from '#lib/server/access/identity/roles.ts';
import { createAuth, type Auth } from '#lib/server/access/requests/auth.ts';
import type { HeaderReader } from '#lib/server/platform/http/cookies.ts';
import { work } from '#lib/server/cross-chain/open-work/openWork.ts';
import type { Schema } from '#lib/server/schema.ts';
import type { TestDatabase } from './database.ts';

/** The parts of a suite's database that accounts need. */
type Opened = Pick<TestDatabase, 'db' | 'dataDir'>;

/** The password of every account of {@link addPerson}. */
export const PASSWORD = 'correct horse battery staple';

/** The sign-in code over a database, without public browsing. */
export const authOver = (
	{ db, dataDir }: Opened,
	options: Partial<Parameters<typeof createAuth>[1]> = {}
): Promise<Auth> => createAuth(db, { dataDir, work, publicBrowsing: false, ...options });

let count = 0;
/** Hash of {@link PASSWORD}: argon2 is deliberately slow, and all accounts here have the same password. */
let hashed: Promise<string> | undefined;

/** Adds an account; without a name it gets a random one. */
export async function addPerson(database: Opened, role: Role, name?: string): Promise<Account> {
	count += 1;
	const { db, dataDir } = database;
	const { audit: auditKeys } = await openKeys(db, { dataDir });
	const audit = createAudit(db, auditKeys);
	const person = { name: name ?? `${role}-${count}`, role, password: null };
	hashed ??= hashPassword(PASSWORD);
	const password_hash = await hashed;
	return db.transaction().execute(async (trx) => {
		const account = await addAccount(trx, person);
		await trx.updateTable('accounts').set({ password_hash }).where('id', '=', account.id).execute();
		await audit.append({ actor: 'a test', action: 'account.added', target: account.name }, trx);
		return account;
	});
}

/** Adds an account to a database whose log has the keys of another part of a test. */
export const addRecorded = (db: Kysely<Schema>, audit: Audit, role: Role): Promise<Account> =>
	db.transaction().execute(async (trx) => {
		count += 1;
		const account = await addAccount(trx, { name: `${role}-${count}`, role, password: null });
		await audit.append({ actor: 'a test', action: 'account.added', target: account.name }, trx);
		return account;
	});

/** Writes like an action of the console: with an event in the same transaction. */
export async function act(
	auth: Auth,
	db: Kysely<Schema>,
	write: (trx: Kysely<Schema>) => Promise<unknown>
): Promise<void> {
	await db.transaction().execute(async (trx) => {
		await write(trx);
		await auth.audit.append({ actor: 'a test', action: 'rpc.test' }, trx);
	});
}

/** Signs a person in from the given address. */
export async function signInAs(
	auth: Auth,
	account: Account,
	more: { password?: string; address?: string; previousSessionId?: string | null } = {}
): Promise<string> {
	const signedIn = await auth.signIn({
		name: account.name,
		password: more.password ?? PASSWORD,
		address: more.address ?? '192.0.2.1',
		userAgent: 'a browser',
		device: null,
		previousSessionId: more.previousSessionId ?? null
	});
	if (signedIn.needs !== null) throw new Error('This member has a second factor.');
	return signedIn.sessionId;
}

/** Begins a session of an account, and returns its hash. */
export async function sessionHashOf(
	database: Pick<TestDatabase, 'db'>,
	auth: Pick<Auth, 'sessions'>,
	{ id }: Pick<Account, 'id'>
): Promise<string> {
	await auth.sessions.begin(id, { address: null, userAgent: null });
	const row = await database.db
		.selectFrom('sessions')
		.select('id_hash')
		.where('account_id', '=', id)
		.orderBy('created_at', 'desc')
		.limit(1)
		.executeTakeFirstOrThrow();
	return row.id_hash;
}

/** A member with a session that is not looked up. */
export const bySession = (account: Account): Member => ({
	via: 'session',
	account,
	role: account.role,
	session: {
		idHash: '',
		expiresAt: 0,
		confirmedAt: null,
		fresh: false,
		hasFactor: false,
		setUpOnly: false
	}
});

/** Request headers with a session cookie. */
export function withSession(id: string, more: Record<string, string> = {}): HeaderReader {
	return new Headers({ ...more, cookie: `other=1; ${SESSION_COOKIE}=${id}` });
}

/** Request headers with an API token. */
export function withToken(token: string, more: Record<string, string> = {}): HeaderReader {
	return new Headers({ ...more, authorization: `Bearer ${token}` });
}

/** Client address of requests in tests, unless a test names one. */
export const HERE = '192.0.2.9';

/** Who a request with these headers acts for. */
export const identified = async (
	auth: Pick<Auth, 'identify'>,
	headers: HeaderReader,
	address = HERE
): Promise<Identity> => auth.identify(headers, address);
