/**
 * Which account an identity at a provider belongs to. Only a row of this table decides it, never a name or an
 * address.
 */
import { factsOfRow, touch } from '../../platform/audit-trail/recorded.ts';
import type { Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { Audit } from '../audit/audit.ts';
import type { Account } from '../identity/identity.ts';
import type { AccessTables } from '../tables.ts';
import { labelOf, type MemberClaims } from './claims.ts';
import { isSameIssuer } from './issuers.ts';

/** An identity as its member sees it. */
export interface LinkedIdentity {
	issuer: string;
	subject: string;
	/** What the provider calls it. */
	label: string;
	/** Unix milliseconds. */
	linkedAt: number;
	lastUsedAt: number | null;
}

/** The account of an identity. */
interface IdentityAccount {
	account: Account;
	disabled: boolean;
	/** False where the identity or the account does not match the audit log. */
	vouched: boolean;
}

/** Returns the account of an identity; null: none. Within a transaction, pass the transaction. */
export async function accountOf(
	within: Executor<AccessTables>,
	audit: Pick<Audit, 'recorded'>,
	{ iss, sub }: Pick<MemberClaims, 'iss' | 'sub'>
): Promise<IdentityAccount | null> {
	const found = await audit.recorded.vouch(
		() =>
			within
				.selectFrom('identities')
				.innerJoin('accounts', 'accounts.id', 'identities.account_id')
				.select(['account_id', 'name', 'role', 'password_hash', 'disabled_at'])
				.where('issuer', '=', iss)
				.where('subject', '=', sub)
				.executeTakeFirst(),
		({ account_id, ...account }) => [
			{
				table: 'identities',
				key: [iss, sub],
				facts: factsOfRow('identities', { account_id })
			},
			{ table: 'accounts', key: [account_id], facts: factsOfRow('accounts', account) }
		],
		within
	);
	if (!found) return null;
	const { account_id: id, name, role, disabled_at } = found.row;
	return {
		account: { id, name, role },
		disabled: disabled_at !== null,
		vouched: found.vouched
	};
}

/**
 * Returns the account from which an identity was unlinked by its own member, who still counts as its owner:
 * otherwise one person with two accounts could approve their own requests. Null where that account was
 * disabled since, or an admin removed the link.
 */
export async function unlinkedFrom(
	trx: Executor<AccessTables>,
	{ iss, sub }: Pick<MemberClaims, 'iss' | 'sub'>
): Promise<string | null> {
	const row = await trx
		.selectFrom('unlinked_identities')
		.innerJoin('accounts', 'accounts.id', 'unlinked_identities.account_id')
		.select('accounts.id')
		.where('issuer', '=', iss)
		.where('subject', '=', sub)
		.where('disabled_at', 'is', null)
		.executeTakeFirst();
	return row?.id ?? null;
}

/**
 * Stores the account from which an identity was unlinked, or with null deletes that. The transaction's next
 * event records it.
 */
async function noteUnlinked(
	trx: Executor<AccessTables>,
	{ issuer, subject }: Pick<LinkedIdentity, 'issuer' | 'subject'>,
	account_id: string | null
): Promise<void> {
	await trx
		.deleteFrom('unlinked_identities')
		.where('issuer', '=', issuer)
		.where('subject', '=', subject)
		.execute();
	if (account_id !== null) {
		await trx.insertInto('unlinked_identities').values({ issuer, subject, account_id }).execute();
	}
	touch(trx, 'unlinked_identities', [issuer, subject]);
}

/**
 * Links an identity to an account and logs it. The caller holds the audit lock.
 * @throws {AppError} `sign-on.other-member` when it is linked to another account, or was unlinked by a member
 * who can still log in; `sign-on.linked-already` when the account has an identity of this provider
 */
export async function linkIdentity(
	trx: Executor<AccessTables>,
	audit: Audit,
	account: Account,
	claims: MemberClaims,
	now: number
): Promise<void> {
	const { iss: issuer, sub: subject } = claims;
	const label = labelOf(claims);
	const taken = await trx
		.selectFrom('identities')
		.select('account_id')
		.where('issuer', '=', issuer)
		.where((where) =>
			where.or([where('subject', '=', subject), where('account_id', '=', account.id)])
		)
		.executeTakeFirst();
	if (taken) {
		throw new AppError(
			taken.account_id === account.id ? 'sign-on.linked-already' : 'sign-on.other-member'
		);
	}
	const before = await unlinkedFrom(trx, claims);
	if (before !== null && before !== account.id) throw new AppError('sign-on.other-member');
	await noteUnlinked(trx, { issuer, subject }, null);
	await trx
		.insertInto('identities')
		.values({ issuer, subject, account_id: account.id, label, linked_at: now, last_used_at: now })
		.execute();
	touch(trx, 'identities', [issuer, subject]);
	await audit.append(
		{
			actor: account.name,
			action: 'identity.linked',
			target: account.name,
			detail: { issuer, subject, label }
		},
		trx
	);
}

/**
 * Removes a link and logs it. The caller has checked that a member who removes an own link has another way to
 * log in.
 * @param by the member or admin who removes it
 * @returns false when the account has no such identity
 */
export async function unlinkIdentity(
	trx: Executor<AccessTables>,
	audit: Audit,
	by: Account,
	account: Account,
	{ issuer, subject }: Pick<LinkedIdentity, 'issuer' | 'subject'>
): Promise<boolean> {
	const gone = await trx
		.deleteFrom('identities')
		.where('issuer', '=', issuer)
		.where('subject', '=', subject)
		.where('account_id', '=', account.id)
		.returning('label')
		.executeTakeFirst();
	if (!gone) return false;
	touch(trx, 'identities', [issuer, subject]);
	await noteUnlinked(trx, { issuer, subject }, by.id === account.id ? account.id : null);
	await audit.append(
		{
			actor: by.name,
			action: 'identity.unlinked',
			target: account.name,
			detail: { issuer, subject, label: gone.label }
		},
		trx
	);
	return true;
}

/** Returns the identities of an account, oldest first. */
export async function identitiesOf(
	db: Executor<AccessTables>,
	accountId: string
): Promise<LinkedIdentity[]> {
	const rows = await db
		.selectFrom('identities')
		.selectAll()
		.where('account_id', '=', accountId)
		.orderBy('linked_at')
		.orderBy('issuer')
		.execute();
	return rows.map((row) => ({
		issuer: row.issuer,
		subject: row.subject,
		label: row.label,
		linkedAt: Number(row.linked_at),
		lastUsedAt: row.last_used_at === null ? null : Number(row.last_used_at)
	}));
}

/** Returns the ids of the accounts that are linked to a provider. */
export async function linkedAccounts(
	db: Executor<AccessTables>,
	issuer: string
): Promise<ReadonlySet<string>> {
	const rows = await db.selectFrom('identities').select(['account_id', 'issuer']).execute();
	const linked = rows.filter((row) => isSameIssuer(row.issuer, issuer));
	return new Set(linked.map(({ account_id }) => account_id));
}
