/** The tip: the last event of the log, how far checkpoints reach, and an HMAC over both. */
import type { AuditTables } from '../../platform/audit-trail/tables.ts';
import type { Executor } from '../../platform/database/database.ts';
import { sameHex } from '../../platform/secrets/sameHex.ts';
import type { AuditHashes } from './hashes.ts';

export interface Tip {
	seq: bigint;
	hash: string;
	/** The last event under a checkpoint. */
	checkpointed: bigint;
	mac: string | null;
	broken_at: bigint | null;
}

export const readTip = (db: Executor<AuditTables>) =>
	db.selectFrom('audit_tip').selectAll().where('id', '=', 1n).executeTakeFirst();

/** Lets writers pass one after the other for the rest of the transaction, on both databases. */
export const lockTip = (trx: Executor<AuditTables>) =>
	trx
		.updateTable('audit_tip')
		.set((set) => ({ seq: set.ref('seq') }))
		.where('id', '=', 1n)
		.returningAll()
		.executeTakeFirstOrThrow();

/** Whether the tip is the one that was written. */
export async function isTipWhole(
	db: Executor<AuditTables>,
	hashes: AuditHashes,
	tip: Tip
): Promise<boolean> {
	if (tip.broken_at !== null) return false;
	if (tip.mac === null) return tip.checkpointed === 0n && (await isFirstForm(db, tip.seq));
	return sameHex(tip.mac, hashes.tip(tip.seq, tip.hash, tip.checkpointed));
}

/** Whether a tip without an HMAC is right: nothing was added since the log has the second form. */
async function isFirstForm(db: Executor<AuditTables>, seq: bigint): Promise<boolean> {
	if (seq === 0n) return true;
	const event = await db
		.selectFrom('audit_events')
		.select('version')
		.where('seq', '=', seq)
		.executeTakeFirst();
	return event?.version === 1n;
}
