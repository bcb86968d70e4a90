import { endOfSession, type SessionRule } from '../../access/accounts/sessions/sessionRule.ts';
import type { Identity } from '../../access/identity/identity.ts';
import { narrower } from '../../access/policy/permissions.ts';
import type { Role } from '../../access/identity/roles.ts';
import {
	lacksFactor,
	refusesTokens,
	type FactorSettings
} from '../../access/security-settings/lacksFactor.ts';
import type { Database } from '../../platform/database/database.ts';
import type { LiveTables } from './tables.ts';

/** The credential that a stream was opened with; null for a visitor. */
export type Credential = { kind: 'session' | 'token'; key: string } | null;

/** Returns the credential of a request, by which its stream is closed when the credential ends. */
export function credentialOf(identity: Identity): Credential {
	switch (identity.via) {
		case 'session':
			return { kind: 'session', key: identity.session.idHash };
		case 'token':
			return { kind: 'token', key: identity.token.id };
		case 'public':
			return null;
	}
}

/**
 * Returns the role that each credential gives at present. Left out are expired, ended and revoked credentials,
 * and those of members who are disabled or lack a second factor that is now required. Unlike a request, this
 * check does not count as use: an open page does not keep its member signed in.
 */
export async function rolesNow(
	db: Database<LiveTables>,
	credentials: readonly NonNullable<Credential>[],
	rule: SessionRule,
	settings: FactorSettings
): Promise<ReadonlyMap<string, Role>> {
	const keys = (wanted: 'session' | 'token'): string[] => [
		...new Set(credentials.flatMap(({ kind, key }) => (kind === wanted ? key : [])))
	];
	const [hashes, ids] = [keys('session'), keys('token')];
	const time = Date.now();
	const now = BigInt(time);
	const sessions =
		hashes.length === 0
			? []
			: await db
					.selectFrom('sessions')
					.innerJoin('accounts', 'accounts.id', 'sessions.account_id')
					.select([
						'sessions.id_hash',
						'sessions.created_at',
						'sessions.last_seen_at',
						'sessions.expires_at',
						'sessions.ends_at',
						'accounts.role',
						'accounts.second_factor_at'
					])
					.where('sessions.id_hash', 'in', hashes)
					.where('sessions.expires_at', '>', now)
					.where('sessions.ends_at', '>', now)
					.where('accounts.disabled_at', 'is', null)
					.execute();
	const tokens =
		ids.length === 0
			? []
			: await db
					.selectFrom('api_tokens')
					.innerJoin('accounts', 'accounts.id', 'api_tokens.account_id')
					.select([
						'api_tokens.id',
						'api_tokens.role',
						'accounts.role as account_role',
						'accounts.second_factor_at'
					])
					.where('api_tokens.id', 'in', ids)
					.where('api_tokens.revoked_at', 'is', null)
					.where((where) =>
						where.or([
							where('api_tokens.expires_at', 'is', null),
							where('api_tokens.expires_at', '>', now)
						])
					)
					.where('accounts.disabled_at', 'is', null)
					.execute();
	return new Map([
		...sessions
			.filter((row) => endOfSession(row, rule, time) > time)
			.filter(({ role, second_factor_at: since }) => !lacksFactor(settings, role, since !== null))
			.map((row) => [row.id_hash, row.role] as const),
		...tokens
			.filter((row) => !refusesTokens(settings, row.account_role, row.second_factor_at !== null))
			.map((row) => [row.id, narrower(row.role, row.account_role)] as const)
	]);
}
