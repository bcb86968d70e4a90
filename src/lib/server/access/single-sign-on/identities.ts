/** Whose account an identity at a provider is. Nothing but a row here says it: no name and no address does. */
import { factsOfRow, touch } from '../../platform/audit-trail/recorded.ts';
import type { Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { Audit } from '../audit/audit.ts';
import type { Account } from '../policy/identity.ts';
import type { AccessTables } from '../tables.ts';
import { labelOf, type MemberClaims } from './claims.ts';

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

/** The account of an identity, as the database and the log say it. */
interface IdentityAccount {
	account: Account;
	disabled: boolean;
	/** False where the identity or the account was changed outside of Komodeck. */
	vouched: boolean;
}

/** Whose identity this is; null: nobody's. Inside a transaction hand the transaction over. */
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
 * Whose an identity still is, although they unlinked it: one person with two accounts would approve what they ask for
 * themselves. Null where that account was disabled since, or another admin took the link away.
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

/** Notes from whose account an identity was unlinked, or forgets it. The next event of the transaction records it. */
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
 * Links an identity to an account, with its event. The caller holds the lock of the log.
 * @throws {AppError} `sign-on.other-member` when it is somebody's already or was unlinked
 *   by somebody who can still log in, `sign-on.linked-already` when the account has
 *   another one of this provider
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
 * Takes the link away. The caller has made sure that a member who does it has another way in.
 * @param by who does it
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

/** The identities of an account, the oldest first. */
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

/** Ids of the accounts that are linked to a provider. */
export async function linkedAccounts(
	db: Executor<AccessTables>,
	issuer: string
): Promise<ReadonlySet<string>> {
	const rows = await db
		.selectFrom('identities')
		.select('account_id')
		.where('issuer', '=', issuer)
		.execute();
	return new Set(rows.map(({ account_id }) => account_id));
}
