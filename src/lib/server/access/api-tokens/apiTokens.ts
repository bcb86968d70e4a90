import { randomBytes, randomUUID } from 'node:crypto';
import { factsOfRow, touch } from '../../platform/audit-trail/recorded.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { createKept } from '../../platform/database/kept.ts';
import { databaseErrorKind } from '../../platform/database/databaseError.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { Bearer } from '../accounts/bearer.ts';
import type { Audit } from '../audit/audit.ts';
import type { Account, TokenLimits } from '../policy/identity.ts';
import { isAtMost, narrower } from '../policy/permissions.ts';
import { isRole, type Role } from '../policy/roles.ts';
import type { AccessTables } from '../tables.ts';

/** Tells a token of ours from other secrets, also for scanners of leaked ones. */
const PREFIX = 'kdk_';
/** How often "last used" is written, in milliseconds. */
const USED_EVERY = 60_000;

export interface NewApiToken {
	account: Account;
	/** What the person calls it. */
	name: string;
	/** At most the person's own. */
	role: Role;
	methods?: readonly string[] | null;
	daemons?: readonly string[] | null;
	/** Unix milliseconds, in the future; null: until revoked. */
	expiresAt?: number | null;
}

/** A token as its owner sees it. */
export interface ApiTokenListing extends TokenLimits {
	role: Role;
	createdAt: number;
	expiresAt: number | null;
	lastUsedAt: number | null;
}

export interface ApiTokens {
	/**
	 * Makes a token. Its text is in the answer and nowhere else.
	 * @param within the transaction in which it is also put on record
	 *
	 * @throws {AppError} `account.token-name-invalid`, `account.token-expiry-past`, `account.role-unknown`, `account.token-role-too-high`
	 */
	create(
		wanted: NewApiToken,
		within?: Executor<AccessTables>
	): Promise<{ id: string; token: string }>;
	/** The tokens of an account that are not revoked, newest first. */
	list(accountId: string): Promise<ApiTokenListing[]>;
	/** False when the account has no such token. */
	revoke(accountId: string, tokenId: string, within?: Executor<AccessTables>): Promise<boolean>;
	/** Whose token this is and what it may do now; null when it is unknown, expired or revoked, or its person is disabled. */
	verify(token: string): Promise<VerifiedToken | null>;
}

/** Whose token it is and what it may do. */
export interface VerifiedToken {
	account: Account;
	role: Role;
	token: TokenLimits;
}

/** A token as it is kept between two requests; times in Unix milliseconds. */
interface KnownToken {
	expiresAt: number;
	lastUsedAt: number;
	verified: VerifiedToken;
}

/** Lets a fault of the database pass; everything else goes on. */
function unlessDatabaseError(error: unknown): void {
	if (databaseErrorKind(error) === null) throw error;
}

function listOrNull(text: string | null): readonly string[] | null {
	return text === null ? null : (JSON.parse(text) as string[]);
}

function textOrNull(list: readonly string[] | null | undefined): string | null {
	return list ? JSON.stringify([...new Set(list)]) : null;
}

/** Whether a token may have this name. */
export function isTokenName(name: string): boolean {
	const { length } = name.trim();
	return length > 0 && length <= 80;
}

export function createApiTokens(
	db: Database<AccessTables>,
	audit: Audit,
	bearer: Bearer
): ApiTokens {
	const kept = createKept<KnownToken>(db.changeStamp);

	/** The token of this hash that is not revoked and whose person is not disabled; it may have expired. */
	async function find(hashes: readonly string[]): Promise<KnownToken | null> {
		const rows = db
			.selectFrom('api_tokens')
			.innerJoin('accounts', 'accounts.id', 'api_tokens.account_id')
			.selectAll('api_tokens')
			.select([
				'accounts.name as account_name',
				'accounts.role as account_role',
				'accounts.disabled_at'
			])
			.where('api_tokens.token_hash', 'in', hashes)
			.where('accounts.disabled_at', 'is', null);
		const open = rows.where('api_tokens.revoked_at', 'is', null);
		const found = await audit.recorded.vouch(
			() => open.executeTakeFirst(),
			({ account_name, account_role, disabled_at, ...token }) => [
				{ table: 'api_tokens', key: [token.id], facts: factsOfRow('api_tokens', token) },
				{
					table: 'accounts',
					key: [token.account_id],
					facts: factsOfRow('accounts', { name: account_name, role: account_role, disabled_at })
				}
			]
		);
		if (!found?.vouched) return null;
		const { row } = found;
		return {
			expiresAt: row.expires_at === null ? Infinity : Number(row.expires_at),
			lastUsedAt: row.last_used_at === null ? -Infinity : Number(row.last_used_at),
			verified: {
				account: { id: row.account_id, name: row.account_name, role: row.account_role },
				role: narrower(row.role, row.account_role),
				token: {
					id: row.id,
					name: row.name,
					methods: listOrNull(row.methods),
					daemons: listOrNull(row.daemons)
				}
			}
		};
	}

	return {
		async create(wanted, within) {
			if (within === undefined) {
				return db.transaction().execute(async (trx) => {
					const made = await this.create(wanted, trx);
					const { account, role } = wanted;
					await audit.append(
						{ actor: account.name, action: 'token.created', target: made.id, detail: { role } },
						trx
					);
					return made;
				});
			}
			const name = wanted.name.trim();
			if (!isTokenName(name)) throw new AppError('account.token-name-invalid');
			if (!isRole(wanted.role)) {
				throw new AppError('account.role-unknown');
			}
			if (!isAtMost(wanted.role, wanted.account.role)) {
				throw new AppError('account.token-role-too-high');
			}
			const expiresAt = wanted.expiresAt ?? null;
			if (expiresAt !== null && !(Number.isSafeInteger(expiresAt) && expiresAt > Date.now())) {
				throw new AppError('account.token-expiry-past');
			}
			const id = randomUUID();
			const token = PREFIX + randomBytes(32).toString('base64url');
			await within
				.insertInto('api_tokens')
				.values({
					id,
					account_id: wanted.account.id,
					name,
					token_hash: bearer.hash('api token', token),
					role: wanted.role,
					methods: textOrNull(wanted.methods),
					daemons: textOrNull(wanted.daemons),
					created_at: Date.now(),
					expires_at: expiresAt
				})
				.execute();
			touch(within, 'api_tokens', [id]);
			return { id, token };
		},

		async list(accountId) {
			const rows = await db
				.selectFrom('api_tokens')
				.selectAll()
				.where('account_id', '=', accountId)
				.where('revoked_at', 'is', null)
				.orderBy('created_at', 'desc')
				.orderBy('id')
				.execute();
			return rows.map((row) => ({
				id: row.id,
				name: row.name,
				role: row.role,
				methods: listOrNull(row.methods),
				daemons: listOrNull(row.daemons),
				createdAt: Number(row.created_at),
				expiresAt: row.expires_at === null ? null : Number(row.expires_at),
				lastUsedAt: row.last_used_at === null ? null : Number(row.last_used_at)
			}));
		},

		async revoke(accountId, tokenId, within) {
			if (within === undefined) {
				return db.transaction().execute(async (trx) => {
					const revoked = await this.revoke(accountId, tokenId, trx);
					if (revoked) {
						await audit.append({ actor: 'engine', action: 'token.revoked', target: tokenId }, trx);
					}
					return revoked;
				});
			}
			const { numUpdatedRows } = await within
				.updateTable('api_tokens')
				.set({ revoked_at: Date.now() })
				.where('id', '=', tokenId)
				.where('account_id', '=', accountId)
				.where('revoked_at', 'is', null)
				.executeTakeFirst();
			if (numUpdatedRows > 0n) touch(within, 'api_tokens', [tokenId], ['revoked_at']);
			return numUpdatedRows > 0n;
		},

		async verify(token) {
			if (!token.startsWith(PREFIX)) return null;
			const hashes = bearer.hashes('api token', token);
			const known = await kept.get(hashes[0]!, () => find(hashes));
			const now = Date.now();
			if (!known) return null;
			if (known.expiresAt <= now) return null;
			if (known.lastUsedAt <= now - USED_EVERY) {
				// What is only shown to its owner holds nobody up while the database takes no writes.
				await db
					.updateTable('api_tokens')
					.set({ last_used_at: now })
					.where('id', '=', known.verified.token.id)
					.execute()
					.catch(unlessDatabaseError);
			}
			return known.verified;
		}
	};
}
