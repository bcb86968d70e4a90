import { randomUUID } from 'node:crypto';
import type { Awaitable } from '../../platform/async/awaitable.ts';
import { factsOfRow, touch } from '../../platform/audit-trail/recorded.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { createRowCache } from '../../platform/database/rowCache.ts';
import { unlessDatabaseError } from '../../platform/database/databaseError.ts';
import { bindTo } from '../../platform/bind.ts';
import { AppError } from '../../platform/errors/appError.ts';
import { isWithin, readNetwork, type Network } from '../../platform/net/networks.ts';
import { sha256Hex } from '../../platform/secrets/digest.ts';
import type { Bearer } from '../credentials/bearer.ts';
import { refuseEnded } from '../credentials/openSession.ts';
import type { Audit } from '../audit/audit.ts';
import type { Account, TokenLimits } from '../identity/identity.ts';
import { narrower } from '../policy/permissions.ts';
import type { Role } from '../identity/roles.ts';
import type { AccessTables } from '../tables.ts';
import { create } from './create.ts';
import type { ApiTokenDependencies } from './dependencies.ts';
import { endOfNext, NEAR_END_MS, REPLACED_MS, type LifetimeRule } from './lifetime.ts';
import { newText, PREFIX, refuseMore } from './newToken.ts';
import { ownerOf } from './ownerOf.ts';
import { revoke } from './revoke.ts';
import { limitsOf, storedLimits, type GivenLimits } from './storedLimits.ts';

/** The parameters of a use case without its dependencies. */
type Bound<UseCase> = UseCase extends (deps: ApiTokenDependencies, ...given: infer Given) => unknown
	? Given
	: never;

/** How often "last used" is written, in milliseconds. */
const USED_EVERY = 60_000;

/** How often it is written when the address differs from the last one, in milliseconds. */
const MOVED_EVERY = 10_000;

/** A token as its owner sees it. */
export interface ApiTokenListing extends GivenLimits {
	id: string;
	name: string;
	role: Role;
	createdAt: number;
	expiresAt: number | null;
	/** Whether it expires soon. */
	nearEnd: boolean;
	lastUsedAt: number | null;
	/** Address and client of the last use. */
	lastUsedAddress: string | null;
	lastUsedAgent: string | null;
}

/** The client that uses a token. */
interface UsedFrom {
	address: string;
	userAgent: string | null;
}

export interface ApiTokens {
	create(...given: Bound<typeof create>): ReturnType<typeof create>;
	revoke(...given: Bound<typeof revoke>): ReturnType<typeof revoke>;
	ownerOf(...given: Bound<typeof ownerOf>): ReturnType<typeof ownerOf>;
	/** Returns the admins' rule for expiry. */
	lifetimeRule(within?: Executor<AccessTables>): Promise<LifetimeRule>;
	/** Returns the tokens of an account that are not revoked, newest first. */
	list(accountId: string): Promise<ApiTokenListing[]>;
	/**
	 * Creates a token with the limits of another one, which ends at once or after an hour, and logs it. What
	 * the earlier token used within 24 hours counts for the new one.
	 * @param session hash of the session that asks for it, if any
	 * @returns null when the account has no such token, or it was replaced already
	 * @throws {AppError} `account.too-many-tokens` where both would exist for an hour,
	 * `account.session-ended`
	 */
	replace(
		account: Account,
		tokenId: string,
		when: 'now' | 'in-an-hour',
		session?: string
	): Promise<{ id: string; token: string } | null>;
	/**
	 * Returns the account and the current rights of a token; null when it is unknown, expired or revoked, or
	 * its account is disabled.
	 * @throws {AppError} `account.token-elsewhere` when it is not allowed from this address
	 */
	verify(token: string, from: UsedFrom): Awaitable<VerifiedToken | null>;
}

/** The account of a valid token, and its current rights. */
export interface VerifiedToken {
	account: Account;
	role: Role;
	token: TokenLimits;
	/** Its member has a second factor. */
	hasFactor: boolean;
}

/** A token as it is cached between requests; times in Unix milliseconds. */
interface KnownToken {
	expiresAt: number;
	lastUsedAt: number;
	lastUsedAddress: string | null;
	/** Null: it may be used from anywhere. */
	networks: readonly Network[] | null;
	verified: VerifiedToken;
}

/**
 * Parses the networks of a row. An invalid entry matches no address, so a list without valid entries allows
 * none.
 */
const networksOf = (addresses: readonly string[] | null): readonly Network[] | null =>
	addresses === null ? null : addresses.flatMap((text) => readNetwork(text) ?? []);

/** @param lifetimeRule reads the admins' current rule */
export function createApiTokens(
	db: Database<AccessTables>,
	audit: Audit,
	bearer: Bearer,
	lifetimeRule: ApiTokenDependencies['lifetimeRule']
): ApiTokens {
	const kept = createRowCache<KnownToken>(db.changeStamp);
	const bound = bindTo({ db, audit, bearer, lifetimeRule });

	/**
	 * Finds the token with this hash that is not revoked and whose account is not disabled; it may have
	 * expired.
	 */
	async function find(hashes: readonly string[]): Promise<KnownToken | null> {
		const rows = db
			.selectFrom('api_tokens')
			.innerJoin('accounts', 'accounts.id', 'api_tokens.account_id')
			.selectAll('api_tokens')
			.select([
				'accounts.name as account_name',
				'accounts.role as account_role',
				'accounts.disabled_at',
				'accounts.second_factor_at'
			])
			.where('api_tokens.token_hash', 'in', hashes)
			.where('accounts.disabled_at', 'is', null);
		const open = rows.where('api_tokens.revoked_at', 'is', null);
		const found = await audit.recorded.vouch(
			() => open.executeTakeFirst(),
			({ account_name, account_role, disabled_at, second_factor_at, ...token }) => [
				{ table: 'api_tokens', key: [token.id], facts: factsOfRow('api_tokens', token) },
				{
					table: 'accounts',
					key: [token.account_id],
					facts: factsOfRow('accounts', {
						name: account_name,
						role: account_role,
						disabled_at,
						second_factor_at
					})
				}
			]
		);
		if (!found?.vouched) return null;
		const { row } = found;
		const { addresses, ...limits } = limitsOf(row);
		return {
			expiresAt: row.expires_at === null ? Infinity : Number(row.expires_at),
			lastUsedAt: row.last_used_at === null ? -Infinity : Number(row.last_used_at),
			lastUsedAddress: row.last_used_address,
			networks: networksOf(addresses),
			verified: {
				account: { id: row.account_id, name: row.account_name, role: row.account_role },
				role: narrower(row.role, row.account_role),
				hasFactor: row.second_factor_at !== null,
				token: { id: row.id, name: row.name, ...limits, countedAs: row.counted_as ?? row.id }
			}
		};
	}

	/** Whether this use must be written, considering when and from where the last one was. */
	function isNews(known: KnownToken, { address }: UsedFrom, now: number): boolean {
		const every = known.lastUsedAddress === address ? USED_EVERY : MOVED_EVERY;
		return known.lastUsedAt <= now - every;
	}

	/** Writes when and from where a token was used. */
	async function noteUse(known: KnownToken, { address, userAgent }: UsedFrom, now: number) {
		// It is only shown to the owner, so requests must not fail for it while the database takes no writes.
		await db
			.updateTable('api_tokens')
			.set({
				last_used_at: now,
				last_used_address: address,
				last_used_agent: userAgent?.slice(0, 300) ?? null
			})
			.where('id', '=', known.verified.token.id)
			.execute()
			.catch(unlessDatabaseError);
	}

	/** Returns the token where it is valid now and from this address, and writes its use. */
	function checked(known: KnownToken | null, from: UsedFrom): Awaitable<VerifiedToken | null> {
		const now = Date.now();
		if (!known) return null;
		if (known.expiresAt <= now) return null;
		const { verified, networks } = known;
		if (networks !== null && !isWithin(from.address, networks)) {
			throw new AppError('account.token-elsewhere', {
				account: verified.account.name,
				token: verified.token.name,
				address: from.address.slice(0, 100)
			});
		}
		return isNews(known, from, now) ? noteUse(known, from, now).then(() => verified) : verified;
	}

	return {
		lifetimeRule,

		create: bound(create),
		revoke: bound(revoke),
		ownerOf: bound(ownerOf),

		async list(accountId) {
			const rows = await db
				.selectFrom('api_tokens')
				.selectAll()
				.where('account_id', '=', accountId)
				.where('revoked_at', 'is', null)
				.orderBy('created_at', 'desc')
				.orderBy('id')
				.execute();
			const soon = Date.now() + NEAR_END_MS;
			return rows.map((row) => ({
				id: row.id,
				name: row.name,
				role: row.role,
				...limitsOf(row),
				createdAt: Number(row.created_at),
				expiresAt: row.expires_at === null ? null : Number(row.expires_at),
				nearEnd: row.expires_at !== null && Number(row.expires_at) <= soon,
				lastUsedAt: row.last_used_at === null ? null : Number(row.last_used_at),
				lastUsedAddress: row.last_used_address,
				lastUsedAgent: row.last_used_agent
			}));
		},

		async replace(account, tokenId, when, session) {
			const rule = await lifetimeRule();
			return db.transaction().execute(async (trx) => {
				// Serializes replacements, so that a token is replaced once.
				await audit.lock(trx);
				if (session !== undefined)
					await refuseEnded(trx, { accountId: account.id, idHash: session });
				const now = Date.now();
				const row = await trx
					.selectFrom('api_tokens')
					.selectAll()
					.where('id', '=', tokenId)
					.where('account_id', '=', account.id)
					.where('revoked_at', 'is', null)
					.executeTakeFirst();
				if (row === undefined) return null;
				const expiresAt = row.expires_at === null ? null : Number(row.expires_at);
				if (expiresAt !== null && expiresAt <= now) return null;
				// A token that was replaced expires within an hour of its successor's creation. A second
				// replacement would inherit that shortened lifetime.
				const next =
					expiresAt !== null &&
					(await trx
						.selectFrom('api_tokens')
						.select('id')
						.where('account_id', '=', account.id)
						.where('counted_as', '=', row.counted_as ?? row.id)
						.where('created_at', '>', row.created_at)
						.where('created_at', '>=', BigInt(expiresAt - REPLACED_MS))
						.executeTakeFirst());
				if (next) return null;
				if (when === 'in-an-hour') await refuseMore(trx, account.id);
				const [id, token] = [randomUUID(), newText()];
				const end = endOfNext({ createdAt: Number(row.created_at), expiresAt }, rule, now);
				await trx
					.insertInto('api_tokens')
					.values({
						id,
						account_id: account.id,
						name: row.name,
						token_hash: bearer.hash('api token', token),
						role: row.role,
						...storedLimits(limitsOf(row)),
						counted_as: row.counted_as ?? row.id,
						created_at: now,
						expires_at: end
					})
					.execute();
				touch(trx, 'api_tokens', [id]);
				const last = Math.min(expiresAt ?? Infinity, now + REPLACED_MS);
				await trx
					.updateTable('api_tokens')
					.set(when === 'now' ? { revoked_at: now } : { expires_at: last })
					.where('id', '=', tokenId)
					.execute();
				touch(trx, 'api_tokens', [tokenId], [when === 'now' ? 'revoked_at' : 'expires_at']);
				await audit.append(
					{
						actor: account.name,
						action: 'token.replaced',
						target: tokenId,
						detail: {
							by: id,
							ends: new Date(when === 'now' ? now : last).toISOString(),
							by_ends: end === null ? null : new Date(end).toISOString()
						}
					},
					trx
				);
				return { id, token };
			});
		},

		verify(token, from) {
			if (!token.startsWith(PREFIX)) return null;
			// A plain digest is the key in memory: HMACs are slow, and the keys in memory need no protection.
			const known = kept.get(sha256Hex(token), () => find(bearer.hashes('api token', token)));
			return known instanceof Promise
				? known.then((found) => checked(found, from))
				: checked(known, from);
		}
	};
}
