import { HOUR_MS } from '#lib/text/units.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { unlessDatabaseError } from '../../../platform/database/databaseError.ts';
import type { Account, SessionFacts } from '../../identity/identity.ts';
import type { AccessTables } from '../../tables.ts';
import type { SessionDependencies } from './dependencies.ts';
import type { SessionRule } from './sessionRule.ts';

/** How often `last_seen_at` is written, in milliseconds. */
const SEEN_EVERY = 60_000;

/** Records a use and extends the idle timeout. False where that was done less than {@link SEEN_EVERY} ago. */
async function seen(
	db: Executor<AccessTables>,
	idHash: string,
	lastSeenAt: number,
	{ idleHours }: SessionRule
): Promise<boolean> {
	const now = Date.now();
	if (lastSeenAt > now - SEEN_EVERY) return false;
	await db
		.updateTable('sessions')
		.set({ last_seen_at: now, expires_at: now + idleHours * HOUR_MS })
		.where('id_hash', '=', idHash)
		.where('last_seen_at', '<=', BigInt(now - SEEN_EVERY))
		.execute()
		// While the database takes no writes, requests must not fail because a session could not be extended.
		.catch(unlessDatabaseError);
	return true;
}

/**
 * Returns the account of a session; null when the session has ended or is unknown, or its account is
 * disabled.
 */
export async function validate(
	{ db, bearer, lucia, rule, latestRule }: SessionDependencies,
	id: string
): Promise<{ account: Account; session: Omit<SessionFacts, 'setUpOnly'> } | null> {
	const { session, user } = await lucia.validateSession(id);
	if (!session) return null;
	const idHash = bearer.hash('session', id);
	const fresh = await seen(db, idHash, session.lastSeenAt, latestRule() ?? (await rule()));
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
}
