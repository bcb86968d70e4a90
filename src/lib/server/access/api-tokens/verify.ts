import type { Awaitable } from '../../platform/async/awaitable.ts';
import { factsOfRow } from '../../platform/audit-trail/recorded.ts';
import { unlessDatabaseError } from '../../platform/database/databaseError.ts';
import type { RowCache } from '../../platform/database/rowCache.ts';
import { AppError } from '../../platform/errors/appError.ts';
import { isWithin, readNetwork, type Network } from '../../platform/net/networks.ts';
import { sha256Hex } from '../../platform/secrets/digest.ts';
import type { Account, TokenLimits } from '../identity/identity.ts';
import type { Role } from '../identity/roles.ts';
import { narrower } from '../policy/permissions.ts';
import type { ApiTokenDependencies } from './dependencies.ts';
import { PREFIX } from './newToken.ts';
import { limitsOf } from './storedLimits.ts';

/** How often "last used" is written, in milliseconds. */
const USED_EVERY = 60_000;

/** How often it is written when the address differs from the last one, in milliseconds. */
const MOVED_EVERY = 10_000;

/** The client that uses a token. */
interface UsedFrom {
	address: string;
	userAgent: string | null;
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

/** Tokens as they were last read, by the digest of their text. */
export type KnownTokens = RowCache<KnownToken>;

interface VerifyingDependencies extends ApiTokenDependencies {
	kept: KnownTokens;
}

/**
 * Parses the networks of a row. An invalid entry matches no address, so a list without valid entries allows
 * none.
 */
const networksOf = (addresses: readonly string[] | null): readonly Network[] | null =>
	addresses === null ? null : addresses.flatMap((text) => readNetwork(text) ?? []);

/**
 * Finds the token with this hash that is not revoked and whose account is not disabled; it may have
 * expired.
 */
async function find(
	{ db, audit }: ApiTokenDependencies,
	hashes: readonly string[]
): Promise<KnownToken | null> {
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
async function noteUse(
	{ db }: ApiTokenDependencies,
	known: KnownToken,
	{ address, userAgent }: UsedFrom,
	now: number
) {
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
function checked(
	deps: ApiTokenDependencies,
	known: KnownToken | null,
	from: UsedFrom
): Awaitable<VerifiedToken | null> {
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
	return isNews(known, from, now) ? noteUse(deps, known, from, now).then(() => verified) : verified;
}

/**
 * Returns the account and the current rights of a token; null when it is unknown, expired or revoked, or
 * its account is disabled.
 * @throws {AppError} `account.token-elsewhere` when it is not allowed from this address
 */
export function verify(
	deps: VerifyingDependencies,
	token: string,
	from: UsedFrom
): Awaitable<VerifiedToken | null> {
	if (!token.startsWith(PREFIX)) return null;
	// A plain digest is the key in memory: HMACs are slow, and the keys in memory need no protection.
	const known = deps.kept.get(sha256Hex(token), () =>
		find(deps, deps.bearer.hashes('api token', token))
	);
	return known instanceof Promise
		? known.then((found) => checked(deps, found, from))
		: checked(deps, known, from);
}
