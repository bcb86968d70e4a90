/**
 * Verifies the log: recomputes its hashes and compares them with its checkpoints, its tip, and the copy
 * outside of the database.
 */
import type { AuditChecked, AuditFault } from '#lib/messages/auditLog.ts';
import { kindOf, outcomeOf } from '../../platform/audit-trail/entry.ts';
import type { OutsideRecords, LastSeenEvent } from '../../platform/audit-trail/record.ts';
import type { AuditTables } from '../../platform/audit-trail/tables.ts';
import { numberOrNull } from '../../platform/database/columns.ts';
import type { Executor } from '../../platform/database/database.ts';
import { sameText } from '../../platform/secrets/sameText.ts';
import { countSegments } from './checkpoints.ts';
import { rowsAfter } from './events.ts';
import type { AuditHashes } from './hashes.ts';
import { isTipIntact, readTip, type Tip } from './tip.ts';

export type AuditVerdict = ({ ok: true } | ({ ok: false } & AuditFault)) & {
	checked: AuditChecked;
};

const CHUNK = 500;

/** The first fault ends the verification; the counts of what was checked before it are kept. */
function broken(
	reason: AuditFault['reason'],
	seq: bigint | null,
	segment: bigint | null
): AuditFault {
	return { reason, seq: numberOrNull(seq), segment: numberOrNull(segment) };
}

type Checkpoints = Awaited<ReturnType<typeof checkpointsOf>>;

const checkpointsOf = (db: Executor<AuditTables>) =>
	db.selectFrom('audit_checkpoints').selectAll().orderBy('number').execute();

/** Yields to the event loop: SQLite queries run synchronously. */
const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function checkCheckpoints(
	checkpoints: Checkpoints,
	hashes: AuditHashes,
	checked: AuditChecked
): AuditFault | null {
	let number = 0n;
	let last = 0n;
	let previous = '';
	let keeping = false;
	for (const checkpoint of checkpoints) {
		number += 1n;
		if (checkpoint.number !== number) return broken('checkpoint-missing', null, number);
		const follows =
			checkpoint.previous === previous &&
			checkpoint.first_seq === last + 1n &&
			checkpoint.rows === checkpoint.last_seq - last &&
			checkpoint.rows > 0n;
		if (!follows || !sameText(checkpoint.mac, hashes.checkpoint(checkpoint))) {
			return broken('checkpoint-changed', null, number);
		}
		if (checkpoint.dropped_at !== null) {
			const proven = hashes.isDrop(
				checkpoint.drop_mac,
				number,
				checkpoint.mac,
				checkpoint.dropped_at
			);
			// The oldest segments are dropped first, so a dropped one never follows a kept one.
			if (keeping || !proven) return broken('checkpoint-changed', null, number);
			checked.dropped += 1;
		} else keeping = true;
		checked.segments += 1;
		last = checkpoint.last_seq;
		previous = checkpoint.mac;
	}
	return null;
}

function checkCopies(
	checkpoints: Checkpoints,
	{ checkpoints: copies, unreadable }: OutsideRecords
): AuditFault | null {
	for (const copy of copies) {
		const checkpoint = checkpoints[copy.number - 1];
		const number = BigInt(copy.number);
		if (checkpoint === undefined) return broken('checkpoint-missing', null, number);
		if (!sameText(copy.mac, checkpoint.mac)) return broken('checkpoint-differs', null, number);
	}
	const [line] = unreadable;
	return line === undefined ? null : broken('copy-unreadable', BigInt(line), null);
}

async function checkRows(
	db: Executor<AuditTables>,
	hashes: AuditHashes,
	checkpoints: Checkpoints,
	tip: Pick<Tip, 'seq' | 'hash'> | undefined,
	end: LastSeenEvent | null,
	checked: AuditChecked
): Promise<AuditFault | null> {
	const kept = checkpoints.filter((checkpoint) => checkpoint.dropped_at === null);
	const before = checkpoints.findLast((checkpoint) => checkpoint.dropped_at !== null);
	const segmentOf = (seq: bigint): bigint | null =>
		kept.find((checkpoint) => checkpoint.last_seq >= seq)?.number ?? null;
	let seq = before?.last_seq ?? 0n;
	let previous = before?.last_hash ?? '';
	let next = 0;

	const leftOver = await db
		.selectFrom('audit_events')
		.select('seq')
		.where('seq', '<=', seq)
		.orderBy('seq')
		.limit(1)
		.executeTakeFirst();
	if (leftOver) {
		const dropped = checkpoints.find((checkpoint) => checkpoint.last_seq >= leftOver.seq);
		return broken('left-over', leftOver.seq, dropped?.number ?? null);
	}
	for (;;) {
		const rows = await rowsAfter(db, seq, CHUNK);
		for (const row of rows) {
			if (row.seq !== seq + 1n) return broken('missing', seq + 1n, segmentOf(seq + 1n));
			seq = row.seq;
			// The hashes of earlier versions do not cover these columns, so they must have their default
			// values.
			const told =
				(row.version >= 3n || row.state === null) &&
				(row.version !== 1n ||
					(row.kind === kindOf(row.action) &&
						row.outcome === outcomeOf(row.action) &&
						row.place === null &&
						row.request === null));
			const fits =
				told && row.prev_hash === previous && sameText(row.hash, hashes.row(row, previous));
			if (!fits) return broken('changed', seq, segmentOf(seq));
			previous = row.hash;
			const checkpoint = kept[next];
			if (checkpoint?.last_seq === seq) {
				if (checkpoint.last_hash !== row.hash) return broken('changed', seq, checkpoint.number);
				next += 1;
			}
			const elsewhere =
				(tip?.seq === seq && tip.hash !== row.hash) ||
				(end !== null && BigInt(end.seq) === seq && end.hash !== row.hash);
			if (elsewhere) return broken('changed', seq, segmentOf(seq));
			if (checked.from === 0) checked.from = Number(seq);
			checked.to = Number(seq);
			checked.rows += 1;
		}
		if (rows.length < CHUNK) break;
		await pause();
	}
	const reach = [tip?.seq ?? seq + 1n, checkpoints.at(-1)?.last_seq ?? 0n, BigInt(end?.seq ?? 0)];
	const isCutOff = reach.some((wanted) => wanted > seq);
	return isCutOff ? broken('cut-off', seq + 1n, segmentOf(seq + 1n)) : null;
}

/**
 * Verifies the whole log, from the first event to the last. Events that are added, checkpointed or dropped
 * meanwhile are not a fault.
 * @param record the copy outside of the database; null where there is none
 */
export async function verifyLog(
	db: Executor<AuditTables>,
	hashes: AuditHashes,
	record: OutsideRecords | null
): Promise<AuditVerdict> {
	for (;;) {
		const { dropped: before } = await countSegments(db);
		const verdict = await verifyOnce(db, hashes, record);
		// Events that were dropped while they were read look like missing ones: verify again.
		if (verdict.ok || (await countSegments(db)).dropped === before) return verdict;
	}
}

async function verifyOnce(
	db: Executor<AuditTables>,
	hashes: AuditHashes,
	record: OutsideRecords | null
): Promise<AuditVerdict> {
	// The server and the command line may each have written the same checkpoint.
	const kept = new Set(record?.checkpoints.map(({ number }) => number));
	const copies = kept.size === 0 ? null : kept.size;
	const end = record?.end ?? null;
	const checked: AuditChecked = {
		rows: 0,
		from: 0,
		to: 0,
		segments: 0,
		dropped: 0,
		copies,
		seen: end && { seq: end.seq, at: end.at }
	};
	// The tip is read before the checkpoints, and these before the events, since each is written after what
	// it refers to.
	const tip = await readTip(db);
	const checkpoints = await checkpointsOf(db);
	const fault =
		checkCheckpoints(checkpoints, hashes, checked) ??
		(record && checkCopies(checkpoints, record)) ??
		(await checkRows(db, hashes, checkpoints, tip, end, checked)) ??
		(await checkTip(db, hashes, tip)) ??
		(record?.isEndUnreadable === true ? broken('copy-unreadable', null, null) : null);
	return fault === null ? { ok: true, checked } : { ok: false, ...fault, checked };
}

async function checkTip(
	db: Executor<AuditTables>,
	hashes: AuditHashes,
	tip: Tip | undefined
): Promise<AuditFault | null> {
	if (tip === undefined) return broken('end-changed', null, null);
	const isWhole = await isTipIntact(db, hashes, tip);
	return isWhole ? null : broken('end-changed', tip.broken_at ?? tip.seq + 1n, null);
}
