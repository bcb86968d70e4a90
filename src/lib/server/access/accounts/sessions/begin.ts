import type { Executor } from '../../../platform/database/database.ts';
import { networkOf } from '../../../platform/net/networkOf.ts';
import type { AccessTables } from '../../tables.ts';
import type { SessionDependencies } from './dependencies.ts';
import type { SessionAttributes } from './lucia.ts';

/**
 * Most sessions of one account. Otherwise anyone with the password could open so many that the form for
 * changing the password, which lists them, exceeds the limit for form fields.
 */
export const MOST_SESSIONS = 100;
/** Most networks of one account that are remembered. */
const MOST_PLACES = 500;
/** Most sessions that one sign-in ends: a release without a limit may have left many. */
const MOST_ENDED = 10_000;

/** What a session begins with. */
type SessionBeginning = Pick<SessionAttributes, 'address' | 'userAgent'> &
	Partial<Pick<SessionAttributes, 'issuer' | 'providerSession'>>;

/**
 * Whether a session of the account begins in this network for the first time, after others began elsewhere.
 * Records the network.
 */
async function isNewPlace(
	db: Executor<AccessTables>,
	accountId: string,
	address: string
): Promise<boolean> {
	const network = networkOf(address);
	const places = db
		.selectFrom('session_places')
		.select('network')
		.where('account_id', '=', accountId);
	if ((await places.where('network', '=', network).executeTakeFirst()) !== undefined) return false;
	const other = await places.limit(1).executeTakeFirst();
	await db
		.insertInto('session_places')
		.values({ account_id: accountId, network, since: Date.now() })
		.onConflict((conflict) => conflict.doNothing())
		.execute();
	const beyond = places
		.orderBy('since', 'desc')
		.orderBy('network')
		.offset(MOST_PLACES)
		.limit(MOST_ENDED);
	await db
		.deleteFrom('session_places')
		.where('account_id', '=', accountId)
		.where('network', 'in', beyond)
		.execute();
	return other !== undefined;
}

/** Ends the least recently used sessions beyond the limit, never the one that has just begun. */
async function endBeyond(
	db: Executor<AccessTables>,
	accountId: string,
	begun: string
): Promise<void> {
	const beyond = db
		.selectFrom('sessions')
		.select('id_hash')
		.where('account_id', '=', accountId)
		.where('id_hash', '!=', begun)
		.orderBy('last_seen_at', 'desc')
		.orderBy('id_hash')
		.offset(MOST_SESSIONS - 1)
		.limit(MOST_ENDED);
	await db.deleteFrom('sessions').where('id_hash', 'in', beyond).execute();
}

/** Begins a session with a new id and returns the id. It is for the cookie only and must not be stored. */
export async function begin(
	{ db, bearer, lucia }: SessionDependencies,
	accountId: string,
	from: SessionBeginning
): Promise<string> {
	const session = await lucia.createSession(accountId, {
		address: from.address,
		userAgent: from.userAgent?.slice(0, 300) ?? null,
		// A session begins right after its member proved their identity.
		confirmedAt: Date.now(),
		issuer: from.issuer ?? null,
		providerSession: from.providerSession ?? null,
		lastSeenAt: Date.now()
	});
	const idHash = bearer.hash('session', session.id);
	await endBeyond(db, accountId, idHash);
	if (from.address !== null && (await isNewPlace(db, accountId, from.address))) {
		await db.updateTable('sessions').set({ new_place: 1 }).where('id_hash', '=', idHash).execute();
	}
	return session.id;
}
