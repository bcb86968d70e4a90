import type { SessionDependencies } from './dependencies.ts';
import { endOfSession } from './sessionRule.ts';

/** A session as its owner sees it in the list of sessions. */
interface SessionListing {
	idHash: string;
	createdAt: number;
	lastSeenAt: number;
	endsAt: number;
	address: string | null;
	userAgent: string | null;
	/** No session of the account had begun in this network before. */
	newPlace: boolean;
}

export async function list(
	{ db, rule }: SessionDependencies,
	accountId: string
): Promise<SessionListing[]> {
	const limits = await rule();
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
}
