/** Checkpoints: each proves a segment of the log, even after the segment's events were dropped. */
import type { AuditTables } from '../../platform/audit-trail/tables.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { AuditHashes } from './hashes.ts';

/** Number of events in a segment that does not end earlier by age. */
export const SEGMENT_ROWS = 1000;

/**
 * Adds a checkpoint over the events after the last one, up to the tip, which must be locked.
 * @returns number of the last event under a checkpoint
 */
export async function checkpointUpTo(
	trx: Executor<AuditTables>,
	hashes: AuditHashes,
	tip: { seq: bigint; hash: string; checkpointed: bigint },
	now: number
): Promise<bigint> {
	if (tip.seq <= tip.checkpointed) return tip.checkpointed;
	const before = await trx
		.selectFrom('audit_checkpoints')
		.select(['number', 'mac'])
		.orderBy('number', 'desc')
		.limit(1)
		.executeTakeFirst();
	const times = await trx
		.selectFrom('audit_events')
		.select((select) => [
			select.fn.min('time').as('first'),
			select.fn.max('time').as('last'),
			select.fn.countAll<bigint>().as('rows')
		])
		.where('seq', '>', tip.checkpointed)
		.where('seq', '<=', tip.seq)
		.executeTakeFirstOrThrow();
	// With an event missing, a checkpoint would vouch for something false; the verification reports the gap.
	if (times.rows !== tip.seq - tip.checkpointed) return tip.checkpointed;
	const checkpoint = {
		number: (before?.number ?? 0n) + 1n,
		first_seq: tip.checkpointed + 1n,
		last_seq: tip.seq,
		rows: times.rows,
		last_hash: tip.hash,
		first_time: times.first,
		last_time: times.last,
		previous: before?.mac ?? '',
		created_at: BigInt(now)
	};
	await trx
		.insertInto('audit_checkpoints')
		.values({ ...checkpoint, mac: hashes.checkpoint(checkpoint) })
		.execute();
	return tip.seq;
}

/** What was removed by dropping segments. */
export interface Dropped {
	/** Numbers of the first and the last segment; null when none was old enough. */
	segments: [first: number, last: number] | null;
	rows: number;
	/** Number of the first segment that is old enough, and was kept because it was not exported; null for none. */
	unsent: number | null;
}

/** Most segments dropped in one transaction: more would make writers wait too long. */
export const DROPPED_AT_ONCE = 20;

/**
 * Drops the oldest segments whose events are all older than a moment, a limited number at a time. Their
 * checkpoints stay as proof that the events existed. The tip must be locked.
 * @param exported number of the last event that may be dropped; null: every event may
 */
export async function dropBefore(
	trx: Executor<AuditTables>,
	hashes: AuditHashes,
	{ before, exported }: { before: number; exported: bigint | null },
	now: number
): Promise<Dropped> {
	const checkpoints = await trx
		.selectFrom('audit_checkpoints')
		.selectAll()
		.where('dropped_at', 'is', null)
		.orderBy('number')
		.execute();
	const young = checkpoints.findIndex(({ last_time }) => last_time >= BigInt(before));
	const old = young < 0 ? checkpoints : checkpoints.slice(0, young);
	const unsent = old.find(({ last_seq }) => exported !== null && last_seq > exported);
	const dropped = (unsent ? old.slice(0, old.indexOf(unsent)) : old).slice(0, DROPPED_AT_ONCE);
	let rows = 0;
	for (const { number, mac, first_seq, last_seq } of dropped) {
		await trx
			.updateTable('audit_checkpoints')
			.set({ dropped_at: now, drop_mac: hashes.drop(number, mac, BigInt(now)) })
			.where('number', '=', number)
			.execute();
		const { numDeletedRows } = await trx
			.deleteFrom('audit_events')
			.where('seq', '>=', first_seq)
			.where('seq', '<=', last_seq)
			.executeTakeFirst();
		rows += Number(numDeletedRows);
	}
	const [first] = dropped;
	const last = dropped.at(-1);
	return {
		segments: first && last ? [Number(first.number), Number(last.number)] : null,
		rows,
		unsent: unsent ? Number(unsent.number) : null
	};
}

/** A segment and its checkpoint, for display. */
export interface Segment {
	number: number;
	first: number;
	last: number;
	rows: number;
	/** Times of its first and last event, Unix milliseconds. */
	firstTime: number;
	lastTime: number;
	createdAt: number;
	/** When its events were dropped; null: they still exist. */
	droppedAt: number | null;
	/** The HMAC of the checkpoint. */
	mac: string;
}

/** Returns segments, newest first. */
export async function listSegments(db: Executor<AuditTables>, limit: number): Promise<Segment[]> {
	const rows = await db
		.selectFrom('audit_checkpoints')
		.selectAll()
		.orderBy('number', 'desc')
		.limit(limit)
		.execute();
	return rows.map((row) => ({
		number: Number(row.number),
		first: Number(row.first_seq),
		last: Number(row.last_seq),
		rows: Number(row.rows),
		firstTime: Number(row.first_time),
		lastTime: Number(row.last_time),
		createdAt: Number(row.created_at),
		droppedAt: row.dropped_at === null ? null : Number(row.dropped_at),
		mac: row.mac
	}));
}

/** Number of segments, and of those whose events were dropped. */
export async function countSegments(
	db: Executor<AuditTables>
): Promise<{ segments: number; dropped: number }> {
	const { segments, dropped } = await db
		.selectFrom('audit_checkpoints')
		.select((select) => [
			select.fn.countAll<bigint>().as('segments'),
			select.fn.count<bigint>('dropped_at').as('dropped')
		])
		.executeTakeFirstOrThrow();
	return { segments: Number(segments), dropped: Number(dropped) };
}
