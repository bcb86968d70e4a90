/** Checkpoints by age, and deletion of events after the retention period. */
import type { AuditEntry } from '../../platform/audit-trail/entry.ts';
import type { RowState } from '../../platform/audit-trail/recorded.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { AccessTables } from '../tables.ts';
import { checkpointUpTo, DROPPED_AT_ONCE, dropBefore, type Dropped } from './checkpoints.ts';
import type { AuditHashes } from './hashes.ts';
import { DROPPED, type RecordedState } from './recordedState.ts';
import { isTipWhole, lockTip } from './tip.ts';

/**
 * Adds a checkpoint over the events after the last one, when the oldest of them is older than a moment.
 * @returns false: it is not, or there are none
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

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Returns a function that tells whether the clock can be trusted for dropping events, which is irreversible.
 * After the clock has jumped by more than a day, or at the start is more than a day past the log's last
 * event, it is not trusted for a day. That leaves time to notice a wrong clock; a server that was only off
 * for a while just drops a day later.
 * @param clock Unix milliseconds
 * @param steady a monotonic clock, milliseconds
 */
export function createDropGate(
	db: Executor<AccessTables>,
	clock: () => number,
	steady: () => number = () => performance.now()
): () => Promise<boolean> {
	/** Difference between the two clocks at the last check, in milliseconds; null before the first. */
	let apart: number | null = null;
	let movedAt = -Infinity;

	async function lastEventAt(): Promise<number | null> {
		const last = await db
			.selectFrom('audit_events')
			.select('time')
			.orderBy('seq', 'desc')
			.limit(1)
			.executeTakeFirst();
		return last === undefined ? null : Number(last.time);
	}

	return async () => {
		const before = apart === null ? await lastEventAt() : apart + steady();
		const [now, at] = [clock(), steady()];
		if (before !== null && now - before > DAY_MS) movedAt = at;
		apart = now - at;
		return at - movedAt >= DAY_MS;
	};
}

interface DropOptions {
	hashes: AuditHashes;
	recorded: RecordedState;
	clock: () => number;
	/** See {@link Audit.dropOlderThan}. */
	exported: bigint | null;
	append(
		trx: Executor<AccessTables>,
		entry: AuditEntry,
		baseline: readonly RowState[]
	): Promise<unknown>;
}

/** Drops whole segments that are older than a moment, some in each transaction; their checkpoints stay. */
export async function dropOlderThan(
	db: Executor<AccessTables>,
	{ hashes, recorded, clock, exported, append }: DropOptions,
	before: number,
	actor: string
): Promise<Dropped> {
	const dropSome = (): Promise<Dropped> =>
		db.transaction().execute(async (trx) => {
			await lockTip(trx);
			// Read before the events that it is computed from are deleted.
			const baseline = await recorded.baseline(trx);
			const dropped = await dropBefore(trx, hashes, { before, exported }, clock());
			if (dropped.segments !== null) {
				const [first, through] = dropped.segments;
				const target = first === through ? `segment ${first}` : `segments ${first} to ${through}`;
				const detail = { rows: dropped.rows, olderThan: new Date(before).toISOString() };
				await append(trx, { actor, action: DROPPED, target, detail }, baseline);
			}
			return dropped;
		});
	const all: Dropped = { segments: null, rows: 0, unsent: null };
	for (;;) {
		const { segments, rows, unsent } = await dropSome();
		all.unsent = unsent;
		if (segments === null) return all;
		all.segments = [all.segments?.[0] ?? segments[0], segments[1]];
		all.rows += rows;
		if (segments[1] - segments[0] + 1 < DROPPED_AT_ONCE) return all;
	}
}
