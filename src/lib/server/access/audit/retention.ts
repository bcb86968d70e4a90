/** Checkpoints by age, and deletion of events after the retention period. */
import { DAY_MS } from '#lib/text/units.ts';
import type { ClockDoubt } from '../../platform/audit-trail/clockDoubt.ts';
import type { AuditEntry } from '../../platform/audit-trail/entry.ts';
import type { RowState } from '../../platform/audit-trail/recorded.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { AccessTables } from '../tables.ts';
import { checkpointUpTo, DROPPED_AT_ONCE, dropBefore, type Dropped } from './checkpoints.ts';
import type { AuditHashes } from './hashes.ts';
import { DROPPED, type RecordedState } from './recordedState.ts';
import { isTipIntact, lockTip } from './tip.ts';

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
		const whole = await isTipIntact(trx, hashes, tip);
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

export interface RetentionOptions {
	/** Events older than this are dropped; null: none is. */
	keepDays: number | null;
	/** Returns the number of the last event that the audit export has sent; null: there is no export. */
	exported: () => Promise<bigint | null>;
	/** What the clock may be ahead: dropping events is irreversible. */
	doubt: ClockDoubt;
	/** Called with the number of the first segment that is kept for the export alone, once for each. */
	onHeldBack: (segment: number) => void;
}

interface RetentionParts {
	db: Executor<AccessTables>;
	drop: (before: number, actor: string, exported: bigint | null) => Promise<Dropped>;
	/** Unix milliseconds. */
	clock: () => number;
}

/** Returns a function that drops the events that are too old now. */
export function createRetention(
	{ db, drop, clock }: RetentionParts,
	{ keepDays, exported, doubt, onHeldBack }: RetentionOptions
): () => Promise<void> {
	let heldBack: number | null = null;
	return async () => {
		if (keepDays === null) return;
		const before = clock() - Math.ceil(await doubt(db)) - keepDays * DAY_MS;
		const { unsent } = await drop(before, 'configuration', await exported());
		if (unsent !== null && unsent !== heldBack) onHeldBack(unsent);
		heldBack = unsent;
	};
}
