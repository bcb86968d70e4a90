import { randomUUID } from 'node:crypto';
import type { StoredAccountState } from '#lib/messages/accountStates.ts';
import { touch } from '../../platform/audit-trail/recorded.ts';
import type { Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { Account } from '../identity/identity.ts';
import { isRole, type Role } from '../identity/roles.ts';
import type { AccessTables } from '../tables.ts';
import { endPendingLogins } from './pendingLogins.ts';
import { checkName, isName, nameKeyOf, skeletonOf } from '../identity/names.ts';
import { checkNewPassword, hashPassword } from './password.ts';
import { NO_PASSWORD } from './tables.ts';

/** An account as an admin sees it. */
export interface AccountFacts extends Account {
	/** Unix milliseconds. */
	createdAt: number;
	disabledAt: number | null;
	/**
	 * Set on an account that a restore disabled until an admin enables it: its state in the backup, and the
	 * one last known.
	 */
	toConfirm: { backup: StoredAccountState; lastKnown: StoredAccountState | null } | null;
	/** Whether the account has a password to log in with. */
	hasPassword: boolean;
}

interface NewAccount {
	name: string;
	role: Role;
	/** Null: the account has no password, and its member logs in by single sign-on. */
	password: string | null;
	/** Allows names that read like an office; see `names.ts`. */
	titles?: boolean;
}

/**
 * Returns why no new account can have this name: an existing one has it, or one that looks like it. Null when
 * it is free.
 */
export async function nameTaken(
	db: Executor<AccessTables>,
	name: string
): Promise<AppError | null> {
	const other = await db
		.selectFrom('accounts')
		.select(['name', 'name_key'])
		.where((where) =>
			where.or([where('name_key', '=', nameKeyOf(name)), where('skeleton', '=', skeletonOf(name))])
		)
		.executeTakeFirst();
	if (!other) return null;
	return other.name_key === nameKeyOf(name)
		? new AppError('account.name-taken', { name })
		: new AppError('account.name-confusable', { other: other.name });
}

/**
 * Adds an account. Within a transaction, pass the transaction as `db`.
 * @throws {AppError} `account.name-invalid`, `account.name-taken`, `account.name-confusable`,
 * `account.role-unknown`, or the fault of the password
 */
export async function addAccount(
	db: Executor<AccessTables>,
	account: NewAccount
): Promise<Account> {
	const name = checkName(account.name, { titles: account.titles ?? false });
	if (!isRole(account.role)) {
		throw new AppError('account.role-unknown');
	}
	if (account.password !== null) checkNewPassword(account.password, name);
	const id = randomUUID();
	const inserted = await db
		.insertInto('accounts')
		.values({
			id,
			name,
			name_key: nameKeyOf(name),
			skeleton: skeletonOf(name),
			role: account.role,
			password_hash: account.password === null ? NO_PASSWORD : await hashPassword(account.password),
			created_at: Date.now()
		})
		.onConflict((conflict) => conflict.doNothing())
		.returning('id')
		.executeTakeFirst();
	if (!inserted) {
		throw (await nameTaken(db, name)) ?? new AppError('account.name-taken', { name });
	}
	touch(db, 'accounts', [id]);
	return { id, name, role: account.role };
}

/**
 * Adds an account without a password, under the first of these names that is valid and free.
 * @throws {AppError} `account.name-taken` when none is
 */
export async function addAccountUnderOneOf(
	trx: Executor<AccessTables>,
	names: readonly string[],
	role: Role
): Promise<Account> {
	for (const name of names) {
		if (!isName(name) || (await nameTaken(trx, name)) !== null) continue;
		return addAccount(trx, { name, role, password: null });
	}
	throw new AppError('account.name-taken', { name: names[0] ?? '' });
}

/** True while the installation has no account. */
export async function hasNoAccount(db: Executor<AccessTables>): Promise<boolean> {
	return (await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) === undefined;
}

/** An account with the fields that the sign-in code needs. */
export interface FoundForSignIn {
	account: Account;
	/** Null where the account has none. */
	passwordHash: string | null;
	disabled: boolean;
	/** When the member set up their first second factor, Unix milliseconds; null: they have none. */
	secondFactorAt: bigint | null;
}

/**
 * Returns the account of that name with its password hash, for the sign-in code only; null when there is
 * none.
 */
export async function findForSignIn(
	db: Executor<AccessTables>,
	name: string
): Promise<FoundForSignIn | null> {
	const row = await db
		.selectFrom('accounts')
		.selectAll()
		.where('name_key', '=', nameKeyOf(name))
		.executeTakeFirst();
	if (!row) return null;
	return {
		account: { id: row.id, name: row.name, role: row.role },
		passwordHash: row.password_hash === NO_PASSWORD ? null : row.password_hash,
		disabled: row.disabled_at !== null,
		secondFactorAt: row.second_factor_at
	};
}

/** Does the same by the account's id. */
export async function findForSignInById(
	db: Executor<AccessTables>,
	accountId: string
): Promise<FoundForSignIn | null> {
	const row = await db
		.selectFrom('accounts')
		.select(['name'])
		.where('id', '=', accountId)
		.executeTakeFirst();
	return row ? findForSignIn(db, row.name) : null;
}

/**
 * Whether an account is unchanged since its member proved their identity. Waits for concurrent changes of the
 * account.
 * @param trx a transaction: it keeps the account's row locked until it ends
 */
export async function isUnchanged(
	trx: Executor<AccessTables>,
	{ account, passwordHash, disabled, secondFactorAt }: FoundForSignIn
): Promise<boolean> {
	const row = await trx
		.updateTable('accounts')
		// Changes nothing: the update locks the row.
		.set((set) => ({ name: set.ref('name') }))
		.where('id', '=', account.id)
		.returning(['password_hash', 'disabled_at', 'second_factor_at'])
		.executeTakeFirst();
	return (
		row !== undefined &&
		row.password_hash === (passwordHash ?? NO_PASSWORD) &&
		(row.disabled_at !== null) === disabled &&
		row.second_factor_at === secondFactorAt
	);
}

/** Returns the account of that name, disabled or not; null when there is none. */
export async function findByName(
	db: Executor<AccessTables>,
	name: string
): Promise<Account | null> {
	return (await findForSignIn(db, name))?.account ?? null;
}

/** Whether an account has a password to log in with. */
export async function hasPassword(db: Executor<AccessTables>, accountId: string): Promise<boolean> {
	const row = await db
		.selectFrom('accounts')
		.select('password_hash')
		.where('id', '=', accountId)
		.executeTakeFirst();
	return row !== undefined && row.password_hash !== NO_PASSWORD;
}

/** Returns all accounts, ordered by name. */
export async function listAccounts(db: Executor<AccessTables>): Promise<AccountFacts[]> {
	const rows = await db
		.selectFrom('accounts')
		.select(['id', 'name', 'role', 'created_at', 'disabled_at', 'to_confirm', 'password_hash'])
		.orderBy('name_key')
		.execute();
	return rows.map((row) => ({
		id: row.id,
		name: row.name,
		role: row.role,
		createdAt: Number(row.created_at),
		disabledAt: row.disabled_at === null ? null : Number(row.disabled_at),
		hasPassword: row.password_hash !== NO_PASSWORD,
		toConfirm:
			row.to_confirm === null ? null : (JSON.parse(row.to_confirm) as AccountFacts['toConfirm'])
	}));
}

/**
 * Disables or enables an account. Disabling takes effect at once: sessions end and tokens are revoked, and
 * enabling the account later does not bring them back. Within a transaction, pass the transaction as `db`.
 * @throws {AppError} `account.unknown`
 */
export async function setDisabled(
	db: Executor<AccessTables>,
	accountId: string,
	disabled: boolean
): Promise<void> {
	const { numUpdatedRows } = await db
		.updateTable('accounts')
		.set({ disabled_at: disabled ? Date.now() : null, to_confirm: null })
		.where('id', '=', accountId)
		.executeTakeFirst();
	if (numUpdatedRows === 0n) throw new AppError('account.unknown');
	touch(db, 'accounts', [accountId], ['disabled_at', 'to_confirm']);
	if (disabled) await revokeAccess(db, accountId);
}

/** What members keep when they change their own password: hashes of session ids, ids of API tokens. */
export interface RetainedAccess {
	sessions: readonly string[];
	tokens: readonly string[];
}

/**
 * Ends the sessions and pending logins of an account, revokes its API tokens and its open links for a new
 * password: everything that someone who knew the old password could have created. Within a transaction, pass
 * the transaction.
 * @returns the number of ended sessions and revoked tokens
 */
export async function revokeAccess(
	db: Executor<AccessTables>,
	accountId: string,
	kept: RetainedAccess = { sessions: [], tokens: [] }
): Promise<{ sessions: number; tokens: number }> {
	const now = Date.now();
	await endPendingLogins(db, accountId);
	const ended = await db
		.deleteFrom('sessions')
		.where('account_id', '=', accountId)
		.$if(kept.sessions.length > 0, (q) => q.where('id_hash', 'not in', kept.sessions))
		.executeTakeFirst();
	const revoked = await db
		.updateTable('api_tokens')
		.set({ revoked_at: now })
		.where('account_id', '=', accountId)
		.where('revoked_at', 'is', null)
		.$if(kept.tokens.length > 0, (q) => q.where('id', 'not in', kept.tokens))
		.returning('id')
		.execute();
	for (const { id } of revoked) touch(db, 'api_tokens', [id], ['revoked_at']);
	const links = await db
		.updateTable('account_links')
		.set({ revoked_at: now })
		.where('account_id', '=', accountId)
		.where('used_at', 'is', null)
		.where('revoked_at', 'is', null)
		.returning('id')
		.execute();
	for (const { id } of links) touch(db, 'account_links', [id], ['revoked_at']);
	return { sessions: Number(ended.numDeletedRows), tokens: revoked.length };
}

/**
 * Changes the role of an account.
 * @throws {AppError} `account.unknown`, `account.role-unknown`
 */
export async function setRole(
	db: Executor<AccessTables>,
	accountId: string,
	role: Role
): Promise<void> {
	if (!isRole(role)) throw new AppError('account.role-unknown');
	const { numUpdatedRows } = await db
		.updateTable('accounts')
		.set({ role })
		.where('id', '=', accountId)
		.executeTakeFirst();
	if (numUpdatedRows === 0n) throw new AppError('account.unknown');
	touch(db, 'accounts', [accountId], ['role']);
}

/** Stores the hash of a password that has been checked already. */
export async function storePassword(
	db: Executor<AccessTables>,
	accountId: string,
	password_hash: string
): Promise<void> {
	await db.updateTable('accounts').set({ password_hash }).where('id', '=', accountId).execute();
	touch(db, 'accounts', [accountId], ['password_hash']);
}
