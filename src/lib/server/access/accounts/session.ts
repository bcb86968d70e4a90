import { Lucia, TimeSpan, type Adapter, type DatabaseSession, type DatabaseUser } from 'lucia';
import type { Selectable } from 'kysely';
import { factsOfRow } from '../../platform/audit-trail/recorded.ts';
import type { Executor } from '../../platform/database/database.ts';
import { databaseErrorKind } from '../../platform/database/databaseError.ts';
import { isSecureHost } from '../../platform/http/headers.ts';
import { networkOf } from '../../platform/net/networkOf.ts';
import { sameHex } from '../../platform/secrets/sameHex.ts';
import type { Audit } from '../audit/audit.ts';
import type { Account, SessionFacts } from '../policy/identity.ts';
import type { Role } from '../policy/roles.ts';
import type { AccessTables } from '../tables.ts';
import type { Bearer } from './bearer.ts';
import { endLoginsUnderWay } from './loginsUnderWay.ts';
import type { SessionsTable } from './tables.ts';

export const SESSION_COOKIE = 'komodeck_session';
/** Its name under https: browsers keep such a cookie from other hosts of the same domain, both ways. */
export const HOST_COOKIE = `__Host-${SESSION_COOKIE}`;
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

/** How long sessions last, as admins decide. */
export interface SessionRule {
	/** A session ends when it was not used for this long. */
	idleHours: number;
	/** It ends so long after the sign-in, used or not. */
	mostDays: number;
}

/** A session's row, as far as it says when it ends. */
type EndingRow = Pick<
	Selectable<SessionsTable>,
	'created_at' | 'last_seen_at' | 'expires_at' | 'ends_at'
>;

/**
 * When a session ends by what it was given and by the rule of now, whichever is first. Unix milliseconds. One that
 * begins further ahead than it may go unused began by a clock that was wrong, which would let it outlive its limits by
 * as much: it has ended.
 */
export function endOfSession(
	{ created_at, last_seen_at, expires_at, ends_at }: EndingRow,
	{ idleHours, mostDays }: SessionRule,
	now: number
): number {
	if (Number(created_at) > now + idleHours * HOUR) return now;
	return Math.min(
		Number(ends_at),
		Number(expires_at),
		Number(created_at) + mostDays * DAY,
		Number(last_seen_at) + idleHours * HOUR
	);
}

/** How often "last seen" is written, in milliseconds. */
const SEEN_EVERY = 60_000;

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
interface SessionAttributes {
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

/** What a session begins with. */
export type SessionBeginning = Pick<SessionAttributes, 'address' | 'userAgent'> &
	Partial<Pick<SessionAttributes, 'issuer' | 'providerSession'>>;

/** A cookie to set. */
export interface SessionCookie {
	name: string;
	value: string;
	attributes: {
		path: '/';
		httpOnly: boolean;
		sameSite: 'lax';
		secure: boolean;
		/** Seconds. */
		maxAge: number;
	};
}

/** A session as its owner sees it in the list of sessions. */
export interface SessionListing {
	idHash: string;
	createdAt: number;
	lastSeenAt: number;
	endsAt: number;
	address: string | null;
	userAgent: string | null;
	/** No session of the account began in this network before. */
	newPlace: boolean;
}

export interface Sessions {
	/** How long sessions last now. */
	rule(): Promise<SessionRule>;
	/** Begins a session with a new id. The id is for the cookie only; keep it nowhere. */
	begin(accountId: string, from: SessionBeginning): Promise<string>;
	/** Whose session this is, or null when it ended, is unknown, or its account is disabled. */
	validate(
		id: string
	): Promise<{ account: Account; session: Omit<SessionFacts, 'setUpOnly'> } | null>;
	/** Notes that the person of a session has just shown again who they are. */
	confirm(idHash: string, within?: Executor<AccessTables>, at?: number): Promise<void>;
	/** Ends the session with this id. */
	end(id: string): Promise<void>;
	/** Ends one session of an account by the hash that the list shows; false when it is not theirs. */
	endByHash(accountId: string, idHash: string, within?: Executor<AccessTables>): Promise<boolean>;
	/** Ends all sessions of an account but the one named by its hash. */
	endOthers(
		accountId: string,
		keepIdHash: string | null,
		within?: Executor<AccessTables>
	): Promise<void>;
	list(accountId: string): Promise<SessionListing[]>;
	/** Removes what ended. */
	clearExpired(): Promise<void>;
	/**
	 * The session id among the headers of a request, or null. At a public address under https only the
	 * cookie counts that no other host could have set.
	 */
	read(headers: { get(name: string): string | null }): string | null;
	cookie(id: string, secure: boolean): SessionCookie;
	/** Takes the cookie away. */
	blankCookie(secure: boolean): SessionCookie;
}

/** What makes a session live longer, or is only shown, holds nobody up while the database takes no writes. */
function unlessDatabaseError(error: unknown): void {
	if (databaseErrorKind(error) === null) throw error;
}

/**
 * Binds a row to its person and its end, to when they last showed who they are, and to the provider that said it. A
 * session that began here has no part for a provider: those of earlier versions go on.
 */
function macOf(
	bearer: Bearer,
	row: {
		id_hash: string;
		account_id: string;
		created_at: bigint;
		ends_at: bigint;
		confirmed_at: bigint | null;
		issuer: string | null;
		provider_session: string | null;
	}
): string {
	const { id_hash, account_id, created_at, ends_at, confirmed_at } = row;
	const parts = ['session', id_hash, account_id, created_at, ends_at, confirmed_at ?? ''];
	const provider = [row.issuer, row.provider_session].filter((part) => part !== null);
	return bearer.mac([...parts, ...provider]);
}

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

	/** The idle limit moves with each use that is noted, see {@link createSessions}. */
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

	/** Ids are not stored, so there is none to give; {@link Sessions.list} shows hashes instead. */
	async getUserSessions(): Promise<DatabaseSession[]> {
		return [];
	}
}

/**
 * The session id in a Cookie header. Anything that is not shaped like one of ours is no cookie: another
 * server on the same host name shares the jar and may have put any bytes there.
 */
function readSessionCookie(header: string | null, cookie: string): string | null {
	for (const pair of header?.split(';') ?? []) {
		const [name, value] = pair.trim().split('=', 2);
		if (name === cookie && value && /^[a-z0-9]{20,80}$/.test(value)) return value;
	}
	return null;
}

interface SessionOptions {
	/** KOMODECK_ORIGIN, when set. */
	publicOrigin: string | null;
	/** How long sessions last, read at each use. */
	rule: () => Promise<SessionRule>;
}

export function createSessions(
	db: Executor<AccessTables>,
	audit: Pick<Audit, 'recorded'>,
	bearer: Bearer,
	{ publicOrigin, rule }: SessionOptions
): Sessions {
	/** The rule as it was last read: whoever gets a cookie began or used a session just before. */
	let latest: SessionRule | null = null;
	const readRule = async (): Promise<SessionRule> => (latest = await rule());
	const adapter = new HashingAdapter(db, audit, bearer, readRule);
	const lucia = new Lucia<KeptAttributes, UserAttributes>(adapter, {
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

	const cookie = (value: string, secure: boolean, maxAge: number): SessionCookie => ({
		name: secure ? HOST_COOKIE : SESSION_COOKIE,
		value,
		attributes: { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge }
	});

	/** Notes a use, and moves the idle limit with it. False where that was done a moment ago. */
	async function seen(idHash: string, lastSeenAt: number, { idleHours }: SessionRule) {
		const now = Date.now();
		if (lastSeenAt > now - SEEN_EVERY) return false;
		await db
			.updateTable('sessions')
			.set({ last_seen_at: now, expires_at: now + idleHours * HOUR })
			.where('id_hash', '=', idHash)
			.where('last_seen_at', '<=', BigInt(now - SEEN_EVERY))
			.execute()
			.catch(unlessDatabaseError);
		return true;
	}

	/** Whether a session of the account begins here for the first time, where others began elsewhere; noted. */
	async function isNewPlace(accountId: string, address: string): Promise<boolean> {
		const network = networkOf(address);
		const places = await db
			.selectFrom('session_places')
			.select('network')
			.where('account_id', '=', accountId)
			.execute();
		if (places.some((place) => place.network === network)) return false;
		await db
			.insertInto('session_places')
			.values({ account_id: accountId, network, since: Date.now() })
			.onConflict((conflict) => conflict.doNothing())
			.execute();
		return places.length > 0;
	}

	return {
		async begin(accountId, from) {
			const session = await lucia.createSession(accountId, {
				address: from.address,
				userAgent: from.userAgent?.slice(0, 300) ?? null,
				// Whoever begins a session has just shown who they are.
				confirmedAt: Date.now(),
				issuer: from.issuer ?? null,
				providerSession: from.providerSession ?? null,
				lastSeenAt: Date.now()
			});
			if (from.address !== null && (await isNewPlace(accountId, from.address))) {
				await db
					.updateTable('sessions')
					.set({ new_place: 1 })
					.where('id_hash', '=', bearer.hash('session', session.id))
					.execute();
			}
			return session.id;
		},
		async validate(id) {
			const { session, user } = await lucia.validateSession(id);
			if (!session) return null;
			const idHash = bearer.hash('session', id);
			const fresh = await seen(idHash, session.lastSeenAt, latest ?? (await readRule()));
			return {
				account: { id: user.id, name: user.name, role: user.role },
				session: {
					idHash,
					expiresAt: session.expiresAt.getTime(),
					confirmedAt: session.confirmedAt,
					issuer: session.issuer,
					fresh,
					hasFactor: user.hasFactor
				}
			};
		},
		async confirm(idHash, within = db, at = Date.now()) {
			const row = await within
				.selectFrom('sessions')
				.selectAll()
				.where('id_hash', '=', idHash)
				.executeTakeFirst();
			if (!row) return;
			const confirmed_at = BigInt(at);
			await within
				.updateTable('sessions')
				.set({ confirmed_at, mac: macOf(bearer, { ...row, confirmed_at }) })
				.where('id_hash', '=', idHash)
				.execute();
		},
		end: (id) => lucia.invalidateSession(id),
		async endByHash(accountId, idHash, within = db) {
			const { numDeletedRows } = await within
				.deleteFrom('sessions')
				.where('id_hash', '=', idHash)
				.where('account_id', '=', accountId)
				.executeTakeFirst();
			return numDeletedRows > 0n;
		},
		async endOthers(accountId, keepIdHash, within = db) {
			await endLoginsUnderWay(within, accountId);
			await within
				.deleteFrom('sessions')
				.where('account_id', '=', accountId)
				.where('id_hash', '!=', keepIdHash ?? '')
				.execute();
		},
		rule: readRule,
		async list(accountId) {
			const limits = await readRule();
			const time = Date.now();
			const now = BigInt(time);
			const rows = await db
				.selectFrom('sessions')
				.selectAll()
				.where('account_id', '=', accountId)
				.where('expires_at', '>', now)
				.where('ends_at', '>', now)
				.orderBy('last_seen_at', 'desc')
				.orderBy('id_hash')
				.execute();
			const open = rows.filter((row) => endOfSession(row, limits, time) > time);
			return open.map((row) => ({
				idHash: row.id_hash,
				createdAt: Number(row.created_at),
				lastSeenAt: Number(row.last_seen_at),
				endsAt: endOfSession(row, limits, time),
				address: row.address,
				userAgent: row.user_agent,
				newPlace: row.new_place === 1n
			}));
		},
		clearExpired: () => lucia.deleteExpiredSessions(),
		read(headers) {
			const secure = isSecureHost(headers.get('host'), publicOrigin);
			return readSessionCookie(headers.get('cookie'), secure ? HOST_COOKIE : SESSION_COOKIE);
		},
		cookie: (id, secure) => cookie(id, secure, (latest?.idleHours ?? 1) * 60 * 60),
		blankCookie: (secure) => cookie('', secure, 0)
	};
}
