/** Retention of closed requests: for a while and up to a number. The audit log keeps the outcome of each. */
import { sql } from 'kysely';
import { DAY_MS } from '#lib/text/units.ts';
import type { Database } from '../../platform/database/database.ts';
import { lockPolicies } from '../changes/lock.ts';
import type { AccessTables } from '../tables.ts';

/** Days that a request is kept after its creation. */
export const RETENTION_DAYS = 90;
export const RETENTION_MS = RETENTION_DAYS * DAY_MS;
/** Most closed requests that are kept for each member, the newest ones. */
export const MOST_KEPT = 1_000;
const MOST_AT_ONCE = 500;

/**
 * Deletes closed requests that are too old or too many, with their approvals. The audit log stops verifying
 * the rows of a request when it is closed, so the deletion need not be logged.
 */
export async function forgetClosed(db: Database<AccessTables>, now: number): Promise<void> {
	const before = BigInt(now - RETENTION_MS);
	for (let found = MOST_AT_ONCE; found === MOST_AT_ONCE;) {
		found = await db.transaction().execute(async (trx) => {
			// Prevents that a request is reopened meanwhile.
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
