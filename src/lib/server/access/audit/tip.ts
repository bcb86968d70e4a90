/** The tip: the last event of the log, how far checkpoints reach, and an HMAC over both. */
import type { AuditTables } from '../../platform/audit-trail/tables.ts';
import type { Executor } from '../../platform/database/database.ts';
import { sameText } from '../../platform/secrets/sameText.ts';
import type { AuditHashes } from './hashes.ts';

export interface Tip {
	seq: bigint;
	hash: string;
	/** Number of the last event under a checkpoint. */
	checkpointed: bigint;
	mac: string | null;
	broken_at: bigint | null;
}

/** Returns the row with number and hash of the last event, without a lock. */
export const readTip = (db: Executor<AuditTables>) =>
	db.selectFrom('audit_tip').selectAll().where('id', '=', 1n).executeTakeFirst();

/** Serializes writers until the end of the transaction, on both databases. */
export const lockTip = (trx: Executor<AuditTables>) =>
	trx
		.updateTable('audit_tip')
		.set((set) => ({ seq: set.ref('seq') }))
		.where('id', '=', 1n)
		.returningAll()
		.executeTakeFirstOrThrow();

/** Whether the tip is intact: its HMAC matches. */
export async function isTipIntact(
	db: Executor<AuditTables>,
	hashes: AuditHashes,
	tip: Tip
): Promise<boolean> {
	if (tip.broken_at !== null) return false;
	if (tip.mac === null) return tip.checkpointed === 0n && (await isFirstForm(db, tip.seq));
	return sameText(tip.mac, hashes.tip(tip.seq, tip.hash, tip.checkpointed));
}

/** Whether a tip without an HMAC is valid: no event was added since version 2 introduced HMACs. */
async function isFirstForm(db: Executor<AuditTables>, seq: bigint): Promise<boolean> {
	if (seq === 0n) return true;
	const event = await db
		.selectFrom('audit_events')
		.select('version')
		.where('seq', '=', seq)
		.executeTakeFirst();
	return event?.version === 1n;
}
