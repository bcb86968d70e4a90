/** Whether a log begins here, or goes on from what another key or another database wrote. */
import type { openRecord } from '../../platform/audit-trail/record.ts';
import type { AuditTables } from '../../platform/audit-trail/tables.ts';
import type { Executor } from '../../platform/database/database.ts';
import { sameHex } from '../../platform/secrets/sameHex.ts';
import type { AccessTables } from '../tables.ts';
import type { AuditHashes } from './hashes.ts';
import { isTipWhole, readTip } from './tip.ts';

/** Whether nothing shows that the log was longer than it is, or had accounts in it. */
export async function isBeginning(
	trx: Executor<AccessTables>,
	hashes: AuditHashes,
	record: ReturnType<typeof openRecord> | null
): Promise<boolean> {
	const tip = await readTip(trx);
	if (!tip || !(await isTipWhole(trx, hashes, tip))) return false;
	if (BigInt(record?.last().end?.seq ?? 0) > tip.seq) return false;
	if (tip.seq > 0n) {
		const last = await trx
			.selectFrom('audit_events')
			.select('hash')
			.where('seq', '=', tip.seq)
			.executeTakeFirst();
		return last?.hash === tip.hash;
	}
	const account = await trx.selectFrom('accounts').select('id').limit(1).executeTakeFirst();
	return account === undefined;
}

/** Whether the log was written under another key: neither its tip nor its events fit this one. */
export async function isForeign(db: Executor<AuditTables>, hashes: AuditHashes): Promise<boolean> {
	const tip = await readTip(db);
	if (!tip || tip.seq === 0n) return false;
	// A tip without an HMAC says nothing of its key.
	if (tip.mac !== null && (await isTipWhole(db, hashes, tip))) return false;
	// A changed event, or a tip that was moved, leaves the others as they were.
	return !(await fits(db, hashes, 'asc')) && !(await fits(db, hashes, 'desc'));
}

/** Whether the first event, or the last one, was written with this key. */
async function fits(
	db: Executor<AuditTables>,
	hashes: AuditHashes,
	order: 'asc' | 'desc'
): Promise<boolean> {
	const event = await db
		.selectFrom('audit_events')
		.selectAll()
		.orderBy('seq', order)
		.limit(1)
		.executeTakeFirst();
	return event === undefined || sameHex(event.hash, hashes.row(event, event.prev_hash));
}
