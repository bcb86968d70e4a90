/** Checkpoints by age, and what goes after the days that the log is kept. */
import type { AuditEntry } from '../../platform/audit-trail/entry.ts';
import type { RowState } from '../../platform/audit-trail/recorded.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { AccessTables } from '../tables.ts';
import { checkpointUpTo, DROPPED_AT_ONCE, dropBefore, type Dropped } from './checkpoints.ts';
import type { AuditHashes } from './hashes.ts';
import { DROPPED, type RecordedState } from './recordedState.ts';
import { isTipWhole, lockTip } from './tip.ts';

/**
 * Adds a checkpoint over the events behind the last one when the oldest of them is older than a moment.
 * @returns false: none is
 */
export function checkpointOlderThan(
	db: Executor<AccessTables>,
	hashes: AuditHashes,
	before: number,
	now: number
): Promise<boolean> {
	return db.transaction().execute(async (trx) => {
		const tip = await lockTip(trx);
		if (tip.seq === tip.checkpointed) return false;
		const oldest = await trx
			.selectFrom('audit_events')
			.select('time')
			.where('seq', '=', tip.checkpointed + 1n)
			.executeTakeFirst();
		if (!oldest || oldest.time >= BigInt(before)) return false;
		const whole = await isTipWhole(trx, hashes, tip);
		const upTo = await checkpointUpTo(trx, hashes, tip, now);
		if (upTo === tip.checkpointed) return false;
		await trx
			.updateTable('audit_tip')
			.set({ checkpointed: upTo, ...(whole ? { mac: hashes.tip(tip.seq, tip.hash, upTo) } : {}) })
			.where('id', '=', 1n)
			.execute();
		return true;
	});
}

interface DropOptions {
	hashes: AuditHashes;
	recorded: RecordedState;
	clock: () => number;
	append(
		trx: Executor<AccessTables>,
		entry: AuditEntry,
		baseline: readonly RowState[]
	): Promise<void>;
}

/** Drops whole segments that are older than a moment, some in each transaction; their checkpoints stay. */
export async function dropOlderThan(
	db: Executor<AccessTables>,
	{ hashes, recorded, clock, append }: DropOptions,
	before: number,
	actor: string
): Promise<Dropped> {
	const dropSome = (): Promise<Dropped> =>
		db.transaction().execute(async (trx) => {
			await lockTip(trx);
			// Taken before the events go that it is made of.
			const baseline = await recorded.baseline(trx);
			const dropped = await dropBefore(trx, hashes, before, clock());
			if (dropped.segments !== null) {
				const [first, through] = dropped.segments;
				const target = first === through ? `segment ${first}` : `segments ${first} to ${through}`;
				const detail = { rows: dropped.rows, olderThan: new Date(before).toISOString() };
				await append(trx, { actor, action: DROPPED, target, detail }, baseline);
			}
			return dropped;
		});
	const all: Dropped = { segments: null, rows: 0 };
	for (;;) {
		const { segments, rows } = await dropSome();
		if (segments === null) return all;
		all.segments = [all.segments?.[0] ?? segments[0], segments[1]];
		all.rows += rows;
		if (segments[1] - segments[0] + 1 < DROPPED_AT_ONCE) return all;
	}
}
