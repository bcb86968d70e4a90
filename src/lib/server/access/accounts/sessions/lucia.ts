/** The library that holds sessions against the clock, over our table. */
import { Lucia, TimeSpan, type Adapter, type DatabaseSession, type DatabaseUser } from 'lucia';
import { factsOfRow } from '../../../platform/audit-trail/recorded.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { sameHex } from '../../../platform/secrets/sameHex.ts';
import type { Audit } from '../../audit/audit.ts';
import type { Role } from '../../policy/roles.ts';
import type { AccessTables } from '../../tables.ts';
import type { Bearer } from '../bearer.ts';
import { SESSION_COOKIE } from './sessionCookie.ts';
import { macOf } from './sessionMac.ts';
import { endOfSession, type SessionRule } from './sessionRule.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

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
	/** The provider by which its person signed in; null: by what is theirs here. */
	issuer: string | null;
	/** What the provider calls its own session; null: it did not say, or there is none. */
	providerSession: string | null;
	lastSeenAt: number;
}
type KeptAttributes = Pick<SessionAttributes, 'confirmedAt' | 'issuer' | 'lastSeenAt'>;

/** A copy of the database signs nobody in, and no row that was put into it by hand does. */
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
		const whole = found.vouched && sameHex(row.mac, macOf(this.#bearer, row));
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
		// Without a user lucia deletes the session: a disabled account has none, nor one that was changed by hand.
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
			ends_at: BigInt(now + mostDays * DAY),
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
				expires_at: now + idleHours * HOUR,
				address: session.attributes.address,
				user_agent: session.attributes.userAgent
			})
			.execute();
	}

	/** The idle limit moves with each use that is noted, see `validate.ts`. */
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

	/** Ids are not stored, so there is none to give; `list.ts` shows hashes instead. */
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
		// The limits are the rule's; the library only holds them against the clock.
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
