/** Retention of ended proposals. The audit log keeps the outcome of each. */
import { touch } from '../../platform/audit-trail/recorded.ts';
import type { AuditTrail } from '../../platform/audit-trail/trail.ts';
import type { Database } from '../../platform/database/database.ts';
import { RETENTION_DAYS, RETENTION_MS } from '../approvals/retention.ts';
import { lockPolicies } from '../changes/lock.ts';
import type { AccessTables } from '../tables.ts';

const MOST_AT_ONCE = 100;

/**
 * Deletes ended proposals that are too old, with their approvals. The deletion is logged, because the audit
 * log verifies the rows of both tables.
 */
export async function forgetProposals(
	db: Database<AccessTables>,
	audit: Pick<AuditTrail, 'append'>,
	now: number
): Promise<void> {
	for (let found = MOST_AT_ONCE; found === MOST_AT_ONCE;) {
		found = await db.transaction().execute(async (trx) => {
			await lockPolicies(trx);
			const old = await trx
				.selectFrom('change_proposals')
				.select('id')
				.where('state', '!=', 'open')
				.where('created_at', '<', BigInt(now - RETENTION_MS))
				.orderBy('created_at')
				.limit(MOST_AT_ONCE)
				.execute();
			const ids = old.map(({ id }) => id);
			if (ids.length === 0) return 0;
			const votes = await trx
				.deleteFrom('change_votes')
				.where('proposal', 'in', ids)
				.returning(['proposal', 'account'])
				.execute();
			await trx.deleteFrom('change_proposals').where('id', 'in', ids).execute();
			for (const id of ids) touch(trx, 'change_proposals', [id]);
			for (const { proposal, account } of votes) touch(trx, 'change_votes', [proposal, account]);
			const detail = { changes: ids.length, olderThan: `${RETENTION_DAYS} days` };
			await audit.append({ actor: 'engine', action: 'change.dropped', detail }, trx);
			return ids.length;
		});
	}
}
