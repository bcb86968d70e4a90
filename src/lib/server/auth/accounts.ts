import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { AuthError } from './errors.ts';
import type { Account } from './identity.ts';
import { checkNewPassword, hashPassword } from './password.ts';
import { isRole, type Role } from './roles.ts';

/** An account as an admin sees it. */
export interface AccountFacts extends Account {
	/** Unix milliseconds. */
	createdAt: number;
	disabledAt: number | null;
}

export interface NewAccount {
	name: string;
	role: Role;
	password: string;
}

/** What audit rows call those who are no person. */
const NOBODY: readonly string[] = ['visitor', 'engine', 'configuration'];

/** Two spellings of one name are one account. */
export function nameKeyOf(name: string): string {
	return name.normalize('NFKC').trim().toLowerCase();
}

/**
 * A name is what audit rows and Basic credentials show: one word without a colon.
 *
 * @throws {AuthError} `name-invalid`
 */
export function checkName(name: string): string {
	const clean = name.normalize('NFKC').trim();
	if (NOBODY.includes(clean.toLowerCase())) {
		throw new AuthError(
			'name-invalid',
			'In the audit log this name stands for the console itself: choose another one.',
			{ field: 'name' }
		);
	}
	if (!/^[\p{L}\p{N}][\p{L}\p{N}._@+-]{0,63}$/u.test(clean)) {
		throw new AuthError(
			'name-invalid',
			'Use 1 to 64 letters, digits and the signs . _ @ + - and begin with a letter or digit.',
			{ field: 'name' }
		);
	}
	return clean;
}

/**
 * Adds an account. Inside a transaction hand the transaction over as `db`.
 *
 * @throws {AuthError} `name-invalid`, `name-taken`, `role-invalid`, or what the password lacks
 */
export async function addAccount(db: Kysely<Schema>, account: NewAccount): Promise<Account> {
	const name = checkName(account.name);
	if (!isRole(account.role)) {
		throw new AuthError('role-invalid', 'There is no such role.', { field: 'role' });
	}
	checkNewPassword(account.password, name);
	const id = randomUUID();
	const inserted = await db
		.insertInto('accounts')
		.values({
			id,
			name,
			name_key: nameKeyOf(name),
			role: account.role,
			password_hash: await hashPassword(account.password),
			created_at: Date.now()
		})
		.onConflict((conflict) => conflict.column('name_key').doNothing())
		.returning('id')
		.executeTakeFirst();
	if (!inserted) {
		throw new AuthError('name-taken', `There is an account named ${name} already.`, {
			field: 'name'
		});
	}
	return { id, name, role: account.role };
}

/** True while nobody can sign in yet. */
export async function hasNoAccount(db: Kysely<Schema>): Promise<boolean> {
	return (await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) === undefined;
}

/** The account of that name, or null; with its password hash, for the sign-in code only. */
export async function findForSignIn(
	db: Kysely<Schema>,
	name: string
): Promise<{ account: Account; passwordHash: string; disabled: boolean } | null> {
	const row = await db
		.selectFrom('accounts')
		.selectAll()
		.where('name_key', '=', nameKeyOf(name))
		.executeTakeFirst();
	if (!row) return null;
	return {
		account: { id: row.id, name: row.name, role: row.role },
		passwordHash: row.password_hash,
		disabled: row.disabled_at !== null
	};
}

/** The account of that name, disabled or not, or null. */
export async function findByName(db: Kysely<Schema>, name: string): Promise<Account | null> {
	return (await findForSignIn(db, name))?.account ?? null;
}

/** All accounts by name. */
export async function listAccounts(db: Kysely<Schema>): Promise<AccountFacts[]> {
	const rows = await db
		.selectFrom('accounts')
		.select(['id', 'name', 'role', 'created_at', 'disabled_at'])
		.orderBy('name_key')
		.execute();
	return rows.map((row) => ({
		id: row.id,
		name: row.name,
		role: row.role,
		createdAt: Number(row.created_at),
		disabledAt: row.disabled_at === null ? null : Number(row.disabled_at)
	}));
}

/**
 * Disables or enables an account. Whoever is disabled is out at once: sessions end and tokens are revoked,
 * also for the time after, when the account may be used again.
 * Inside a transaction hand the transaction over as `db`.
 *
 * @throws {AuthError} `account-unknown`
 */
export async function setDisabled(
	db: Kysely<Schema>,
	accountId: string,
	disabled: boolean
): Promise<void> {
	const { numUpdatedRows } = await db
		.updateTable('accounts')
		.set({ disabled_at: disabled ? Date.now() : null })
		.where('id', '=', accountId)
		.executeTakeFirst();
	if (numUpdatedRows === 0n) throw new AuthError('account-unknown', 'There is no such account.');
	if (!disabled) return;
	await db.deleteFrom('sessions').where('account_id', '=', accountId).execute();
	await db
		.updateTable('api_tokens')
		.set({ revoked_at: Date.now() })
		.where('account_id', '=', accountId)
		.where('revoked_at', 'is', null)
		.execute();
}

/**
 * Gives an account another role.
 *
 * @throws {AuthError} `account-unknown`, `role-invalid`
 */
export async function setRole(db: Kysely<Schema>, accountId: string, role: Role): Promise<void> {
	if (!isRole(role))
		throw new AuthError('role-invalid', 'There is no such role.', { field: 'role' });
	const { numUpdatedRows } = await db
		.updateTable('accounts')
		.set({ role })
		.where('id', '=', accountId)
		.executeTakeFirst();
	if (numUpdatedRows === 0n) throw new AuthError('account-unknown', 'There is no such account.');
}

/** Stores a password that has been checked already. */
export async function storePassword(
	db: Kysely<Schema>,
	accountId: string,
	password: string
): Promise<void> {
	await db
		.updateTable('accounts')
		.set({ password_hash: await hashPassword(password) })
		.where('id', '=', accountId)
		.execute();
}
