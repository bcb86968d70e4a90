import { listAccounts, type AccountFacts } from '../accounts.ts';
import { endOfSession } from '../sessions/sessionRule.ts';
import type { MemberDependencies } from './dependencies.ts';

/** A member as an admin sees them. */
interface Member extends AccountFacts {
	/** When one of the open sessions was last used, Unix milliseconds; null when none is open. */
	lastSeenAt: number | null;
	/** Numbers of open sessions, and of API tokens that are not revoked. */
	sessions: number;
	tokens: number;
}

/** Returns all members, ordered by name. */
export async function list({ db, sessionRule }: MemberDependencies): Promise<Member[]> {
	const now = Date.now();
	const rule = await sessionRule();
	const accounts = await listAccounts(db);
	const sessions = await db
		.selectFrom('sessions')
		.select(['account_id', 'created_at', 'last_seen_at', 'expires_at', 'ends_at'])
		.execute();
	const open = sessions.filter((row) => endOfSession(row, rule, now) > now);
	const tokens = await db
		.selectFrom('api_tokens')
		.select((select) => ['account_id', select.fn.countAll<bigint>().as('open')])
		.where('revoked_at', 'is', null)
		.groupBy('account_id')
		.execute();
	const sessionsOf = Map.groupBy(open, (row) => row.account_id);
	const tokensOf = new Map(tokens.map((row) => [row.account_id, Number(row.open)]));
	return accounts.map((account) => {
		const own = sessionsOf.get(account.id) ?? [];
		return {
			...account,
			lastSeenAt: own.length === 0 ? null : Math.max(...own.map((row) => Number(row.last_seen_at))),
			sessions: own.length,
			tokens: tokensOf.get(account.id) ?? 0
		};
	});
}
