/** The lucia library, which checks the expiry of sessions, on our table. */
import { Lucia, TimeSpan, type Adapter, type DatabaseSession, type DatabaseUser } from 'lucia';
import { DAY_MS, HOUR_MS } from '#lib/text/units.ts';
import { factsOfRow } from '../../../platform/audit-trail/recorded.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { sameText } from '../../../platform/secrets/sameText.ts';
import type { Audit } from '../../audit/audit.ts';
import type { Role } from '../../identity/roles.ts';
import type { AccessTables } from '../../tables.ts';
import type { Bearer } from '../../credentials/bearer.ts';
import { SESSION_COOKIE } from './sessionCookie.ts';
import { macOf } from './sessionMac.ts';
import { endOfSession, type SessionRule } from './sessionRule.ts';

declare module 'lucia' {
	interface Register {
		Lucia: Lucia<KeptAttributes, UserAttributes>;
		DatabaseUserAttributes: UserAttributes;
		DatabaseSessionAttributes: SessionAttributes;
	}
}
interface UserAttributes {
	name: string;
	role: Role;
	hasFactor: boolean;
}
export interface SessionAttributes {
	address: string | null;
	userAgent: string | null;
	confirmedAt: number | null;
	/** Issuer of the provider by which the member signed in; null: by password or passkey. */
	issuer: string | null;
	/** The provider's id of its own session; null when it sent none, or without a provider. */
	providerSession: string | null;
	lastSeenAt: number;
}
type KeptAttributes = Pick<SessionAttributes, 'confirmedAt' | 'issuer' | 'lastSeenAt'>;

/**
 * Stores only HMACs of session ids: neither a copy of the database nor a row inserted by hand lets anyone in.
 */
class HashingAdapter implements Adapter {
	readonly #db: Executor<AccessTables>;
	readonly #audit: Pick<Audit, 'recorded'>;
	readonly #bearer: Bearer;
	readonly #rule: () => Promise<SessionRule>;

	constructor(
		db: Executor<AccessTables>,
		audit: Pick<Audit, 'recorded'>,
		bearer: Bearer,
		rule: () => Promise<SessionRule>
	) {
		this.#db = db;
		this.#rule = rule;
		this.#audit = audit;
		this.#bearer = bearer;
	}

	async #find(sessionId: string) {
		return this.#db
			.selectFrom('sessions')
			.innerJoin('accounts', 'accounts.id', 'sessions.account_id')
			.selectAll('sessions')
			.select([
				'accounts.name',
				'accounts.role',
				'accounts.disabled_at',
				'accounts.second_factor_at'
			])
			.where('sessions.id_hash', '=', this.#bearer.hash('session', sessionId))
			.executeTakeFirst();
	}

	async getSessionAndUser(
		sessionId: string
	): Promise<[session: DatabaseSession | null, user: DatabaseUser | null]> {
		const found = await this.#audit.recorded.vouch(
			() => this.#find(sessionId),
			({ account_id, name, role, disabled_at, second_factor_at }) => [
				{
					table: 'accounts',
					key: [account_id],
					facts: factsOfRow('accounts', { name, role, disabled_at, second_factor_at })
				}
			]
		);
		if (!found) return [null, null];
		const { row } = found;
		const whole = found.vouched && sameText(row.mac, macOf(this.#bearer, row));
		const end = endOfSession(row, await this.#rule(), Date.now());
		const session: DatabaseSession = {
			id: sessionId,
			userId: row.account_id,
			expiresAt: new Date(end),
			attributes: {
				address: row.address,
				userAgent: row.user_agent,
				confirmedAt: row.confirmed_at === null ? null : Number(row.confirmed_at),
				issuer: row.issuer,
				providerSession: row.provider_session,
				lastSeenAt: Number(row.last_seen_at)
			}
		};
		// Without a user lucia deletes the session. That is the case for disabled accounts, and for rows that
		// do not match the audit log or their MAC.
		if (row.disabled_at !== null || !whole) return [session, null];
		return [
			session,
			{
				id: row.account_id,
				attributes: { name: row.name, role: row.role, hasFactor: row.second_factor_at !== null }
			}
		];
	}

	async setSession(session: DatabaseSession): Promise<void> {
		const now = Date.now();
		const { idleHours, mostDays } = await this.#rule();
		const row = {
			id_hash: this.#bearer.hash('session', session.id),
			account_id: session.userId,
			created_at: BigInt(now),
			ends_at: BigInt(now + mostDays * DAY_MS),
			confirmed_at:
				session.attributes.confirmedAt === null ? null : BigInt(session.attributes.confirmedAt),
			issuer: session.attributes.issuer,
			provider_session: session.attributes.providerSession
		};
		await this.#db
			.insertInto('sessions')
			.values({
				...row,
				mac: macOf(this.#bearer, row),
				last_seen_at: now,
				expires_at: now + idleHours * HOUR_MS,
				address: session.attributes.address,
				user_agent: session.attributes.userAgent
			})
			.execute();
	}

	/** Does nothing: the idle timeout is extended with each recorded use, see `validate.ts`. */
	async updateSessionExpiration(): Promise<void> {}

	async deleteSession(sessionId: string): Promise<void> {
		await this.#db
			.deleteFrom('sessions')
			.where('id_hash', '=', this.#bearer.hash('session', sessionId))
			.execute();
	}

	async deleteUserSessions(userId: string): Promise<void> {
		await this.#db.deleteFrom('sessions').where('account_id', '=', userId).execute();
	}

	async deleteExpiredSessions(): Promise<void> {
		const now = BigInt(Date.now());
		await this.#db
			.deleteFrom('sessions')
			.where((where) => where.or([where('expires_at', '<=', now), where('ends_at', '<=', now)]))
			.execute();
	}

	/** Ids are not stored, so none can be returned; `list.ts` shows hashes instead. */
	async getUserSessions(): Promise<DatabaseSession[]> {
		return [];
	}
}

export function createLucia(
	db: Executor<AccessTables>,
	audit: Pick<Audit, 'recorded'>,
	bearer: Bearer,
	rule: () => Promise<SessionRule>
) {
	return new Lucia<KeptAttributes, UserAttributes>(new HashingAdapter(db, audit, bearer, rule), {
		// The actual limits come from the rule, by `expiresAt` of each session.
		sessionExpiresIn: new TimeSpan(1, 'ms'),
		sessionCookie: { name: SESSION_COOKIE },
		getUserAttributes: ({ name, role, hasFactor }) => ({ name, role, hasFactor }),
		getSessionAttributes: ({ confirmedAt, issuer, lastSeenAt }) => ({
			confirmedAt,
			issuer,
			lastSeenAt
		})
	});
}
