/**
 * Shortens the expiries of open requests and proposals that a clock ahead has set. Their rows are verified
 * against the audit log, so the change is logged: otherwise they would count as tampered with, and could not
 * be approved.
 */
import { sql } from 'kysely';
import { touch } from '../../platform/audit-trail/recorded.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Audit } from '../audit/audit.ts';
import { lockPolicies } from '../changes/lock.ts';
import { PROPOSAL_MS } from '../changes/gate.ts';
import type { AccessTables } from '../tables.ts';
import { APPROVAL_MS } from './approvalRequester.ts';

/** The longest time between creation and expiry of each table's rows, in milliseconds. */
export const RECORDED_ENDS = [
	{ table: 'approval_requests', column: 'expires_at', longest: APPROVAL_MS },
	{ table: 'change_proposals', column: 'expires_at', longest: PROPOSAL_MS }
] as const;

/** @returns a function that shortens the expiries; `now` in Unix milliseconds */
export const createNearerEnds =
	(db: Database<AccessTables>, audit: Pick<Audit, 'append'>) =>
	(now: number): Promise<void> =>
		db.transaction().execute(async (trx) => {
			await lockPolicies(trx);
			let requests = 0;
			for (const { table, column, longest } of RECORDED_ENDS) {
				const end = BigInt(now + longest);
				const { rows } = await sql<{ id: string }>`update ${sql.table(table)}
					set ${sql.ref(column)} = ${end}
					where state = 'open' and ${sql.ref(column)} > ${end} returning id`.execute(trx);
				for (const { id } of rows) touch(trx, table, [id], [column]);
				requests += rows.length;
			}
			if (requests === 0) return;
			const detail = { requests };
			await audit.append({ actor: 'engine', action: 'approval.shortened', detail }, trx);
		});
