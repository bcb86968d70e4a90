/** Closed requests are kept for a while and within bounds; what became of each stands in the audit log. */
import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { lockPolicies } from '../policy/rules/lock.ts';
import type { AccessTables } from '../tables.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long a request is kept after it was asked. */
export const KEPT_DAYS = 90;
export const KEPT_MS = KEPT_DAYS * DAY_MS;
/** The newest closed ones of a member that are kept. */
export const MOST_KEPT = 1_000;
const MOST_AT_ONCE = 500;

/**
 * Deletes closed requests that are too old or too many, with their approvals. A request leaves what the log holds
 * rows against when it is closed, so nothing has to be recorded here.
 */
export async function forgetClosed(db: Database<AccessTables>, now: number): Promise<void> {
	const before = BigInt(now - KEPT_MS);
	for (let found = MOST_AT_ONCE; found === MOST_AT_ONCE;) {
		found = await db.transaction().execute(async (trx) => {
			// None of them is opened again meanwhile.
			await lockPolicies(trx);
			const { rows } = await sql<{ id: string }>`
				select id from (
					select id, created_at,
						row_number() over (partition by account order by created_at desc, id desc) as place
					from approval_requests where state <> 'open'
				) as closed
				where created_at < ${before} or place > ${BigInt(MOST_KEPT)}
				limit ${BigInt(MOST_AT_ONCE)}
			`.execute(trx);
			const ids = rows.map(({ id }) => id);
			if (ids.length === 0) return 0;
			await trx.deleteFrom('approval_votes').where('request', 'in', ids).execute();
			await trx.deleteFrom('approval_requests').where('id', 'in', ids).execute();
			return ids.length;
		});
	}
}
