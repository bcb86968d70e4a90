/** Sealing segments of the log, and dropping whole ones. */
import type { AuditTables } from '../../platform/audit-trail/tables.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { AuditHashes } from './hashes.ts';

/** Rows of a segment that is not sealed by its age. */
export const SEGMENT_ROWS = 1000;

/**
 * Seals the rows behind the last seal, up to the end of the log. The head must be locked.
 * @returns the last row that is sealed now
 */
export async function sealUpTo(
	trx: Executor<AuditTables>,
	hashes: AuditHashes,
	head: { seq: bigint; hash: string; sealed: bigint },
	now: number
): Promise<bigint> {
	if (head.seq <= head.sealed) return head.sealed;
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
		.where('seq', '>', head.sealed)
		.where('seq', '<=', head.seq)
		.executeTakeFirstOrThrow();
	// With a row missing the seal would say what is not so; the check names the place.
	if (times.rows !== head.seq - head.sealed) return head.sealed;
	const seal = {
		number: (before?.number ?? 0n) + 1n,
		first_seq: head.sealed + 1n,
		last_seq: head.seq,
		rows: times.rows,
		last_hash: head.hash,
		first_time: times.first,
		last_time: times.last,
		previous: before?.mac ?? '',
		sealed_at: BigInt(now)
	};
	await trx
		.insertInto('audit_checkpoints')
		.values({ ...seal, mac: hashes.seal(seal) })
		.execute();
	return head.seq;
}

/** What went when segments were dropped. */
export interface Dropped {
	/** Numbers of the first and the last segment; null when none was old enough. */
	segments: [first: number, last: number] | null;
	rows: number;
}

/** More would keep those waiting who want to write. */
export const DROPPED_AT_ONCE = 20;

/**
 * Drops the oldest sealed segments whose rows are all older than a moment, some at a time. Their seals stay as
 * proof that the rows were there. The head must be locked.
 */
export async function dropBefore(
	trx: Executor<AuditTables>,
	hashes: AuditHashes,
	before: number,
	now: number
): Promise<Dropped> {
	const seals = await trx
		.selectFrom('audit_checkpoints')
		.selectAll()
		.where('dropped_at', 'is', null)
		.orderBy('number')
		.execute();
	const young = seals.findIndex((seal) => seal.last_time >= BigInt(before));
	const old = (young < 0 ? seals : seals.slice(0, young)).slice(0, DROPPED_AT_ONCE);
	let rows = 0;
	for (const { number, mac, first_seq, last_seq } of old) {
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
	const [first] = old;
	const last = old.at(-1);
	return { segments: first && last ? [Number(first.number), Number(last.number)] : null, rows };
}
