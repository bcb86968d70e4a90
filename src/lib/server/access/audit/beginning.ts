/** Whether the log starts here intact, or continues what another key or another database wrote. */
import type { openRecord } from '../../platform/audit-trail/record.ts';
import type { AuditTables } from '../../platform/audit-trail/tables.ts';
import type { Executor } from '../../platform/database/database.ts';
import { sameText } from '../../platform/secrets/sameText.ts';
import type { AccessTables } from '../tables.ts';
import type { AuditHashes } from './hashes.ts';
import { isTipIntact, readTip } from './tip.ts';

/** Whether nothing indicates that the log was longer, or that accounts exist which it does not record. */
export async function isBeginning(
	trx: Executor<AccessTables>,
	hashes: AuditHashes,
	record: ReturnType<typeof openRecord> | null
): Promise<boolean> {
	const tip = await readTip(trx);
	if (!tip || !(await isTipIntact(trx, hashes, tip))) return false;
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

/** Whether the log was written under another key: neither its tip nor its events match this one. */
export async function isForeign(db: Executor<AuditTables>, hashes: AuditHashes): Promise<boolean> {
	const tip = await readTip(db);
	if (!tip || tip.seq === 0n) return false;
	// A tip without an HMAC tells nothing about its key.
	if (tip.mac !== null && (await isTipIntact(db, hashes, tip))) return false;
	// If an event or the tip was tampered with, the other end of the log still matches the key.
	return !(await fits(db, hashes, 'asc')) && !(await fits(db, hashes, 'desc'));
}

/** Whether the first or the last event was written with this key. */
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
	return event === undefined || sameText(event.hash, hashes.row(event, event.prev_hash));
}
