/** Computes the log again and holds it against its seals, its end, and what is kept outside of the database. */
import { kindOf, outcomeOf } from '../../platform/audit-trail/entry.ts';
import type { KeptRecord, SeenEnd } from '../../platform/audit-trail/record.ts';
import type { AuditTables } from '../../platform/audit-trail/tables.ts';
import type { Executor } from '../../platform/database/database.ts';
import { sameHex } from '../../platform/secrets/sameHex.ts';
import type { AuditHashes } from './hashes.ts';

/** What is wrong at the first place that does not fit. */
type AuditReason =
	/** A row is not there. */
	| 'missing'
	/** A row says something else than what was written, or was not written with this key. */
	| 'changed'
	/** The end is missing, from this row on. */
	| 'cut-off'
	/** The end was put somewhere else before this row was added. */
	| 'end-changed'
	/** A row of a dropped segment is still there. */
	| 'left-over'
	/** A seal says something else, or does not follow the one before. */
	| 'seal-changed'
	/** A seal is not there. */
	| 'seal-missing'
	/** A seal differs from its copy outside of the database. */
	| 'seal-differs'
	/** The copy of the seals outside of the database cannot be read at this line. */
	| 'copy-unreadable';

/** The first break. */
export interface AuditFault {
	reason: AuditReason;
	/** Number of the row; of the line for `copy-unreadable`. Null where it is about a seal only. */
	seq: number | null;
	/** Number of the segment; null for rows that are not sealed yet. */
	segment: number | null;
}

/** What was looked at, up to the first break. */
export interface AuditChecked {
	/** Rows whose hashes were computed again. */
	rows: number;
	/** Numbers of the first and the last of them; 0 for none. */
	from: number;
	to: number;
	/** Seals that fit, and how many of their segments were dropped. */
	segments: number;
	dropped: number;
	/** Seals that are kept outside of the database; null: none are. */
	copies: number | null;
	/** How far the log was seen to reach, by what is kept outside; null: nothing is. */
	seen: { seq: number; at: number } | null;
}

export type AuditVerdict = ({ ok: true } | ({ ok: false } & AuditFault)) & {
	checked: AuditChecked;
};

const CHUNK = 500;

class Broken extends Error {
	readonly fault: AuditFault;
	constructor(reason: AuditReason, seq: bigint | null, segment: bigint | null) {
		super(reason);
		const plain = (value: bigint | null): number | null => (value === null ? null : Number(value));
		this.fault = { reason, seq: plain(seq), segment: plain(segment) };
	}
}

type Seals = Awaited<ReturnType<typeof sealsOf>>;

const sealsOf = (db: Executor<AuditTables>) =>
	db.selectFrom('audit_checkpoints').selectAll().orderBy('number').execute();

/** Lets other work go on: SQLite answers without leaving the thread. */
const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function checkSeals(seals: Seals, hashes: AuditHashes, checked: AuditChecked): void {
	let number = 0n;
	let last = 0n;
	let previous = '';
	let keeping = false;
	for (const seal of seals) {
		number += 1n;
		if (seal.number !== number) throw new Broken('seal-missing', null, number);
		const follows =
			seal.previous === previous &&
			seal.first_seq === last + 1n &&
			seal.rows === seal.last_seq - last &&
			seal.rows > 0n;
		if (!follows || !sameHex(seal.mac, hashes.seal(seal))) {
			throw new Broken('seal-changed', null, number);
		}
		if (seal.dropped_at !== null) {
			const proven = hashes.isDrop(seal.drop_mac, number, seal.mac, seal.dropped_at);
			// The oldest go first: one that is kept is followed by none that is dropped.
			if (keeping || !proven) throw new Broken('seal-changed', null, number);
			checked.dropped += 1;
		} else keeping = true;
		checked.segments += 1;
		last = seal.last_seq;
		previous = seal.mac;
	}
}

function checkCopies(seals: Seals, { seals: copies, unreadable }: KeptRecord): void {
	for (const copy of copies) {
		const seal = seals[copy.number - 1];
		const number = BigInt(copy.number);
		if (seal === undefined) throw new Broken('seal-missing', null, number);
		if (!sameHex(copy.mac, seal.mac)) throw new Broken('seal-differs', null, number);
	}
	const [line] = unreadable;
	if (line !== undefined) throw new Broken('copy-unreadable', BigInt(line), null);
}

async function checkRows(
	db: Executor<AuditTables>,
	hashes: AuditHashes,
	seals: Seals,
	head: { seq: bigint; hash: string } | undefined,
	end: SeenEnd | null,
	checked: AuditChecked
): Promise<void> {
	const kept = seals.filter((seal) => seal.dropped_at === null);
	const before = seals.findLast((seal) => seal.dropped_at !== null);
	const segmentOf = (seq: bigint): bigint | null =>
		kept.find((seal) => seal.last_seq >= seq)?.number ?? null;
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
		const dropped = seals.find((seal) => seal.last_seq >= leftOver.seq);
		throw new Broken('left-over', leftOver.seq, dropped?.number ?? null);
	}
	for (;;) {
		const rows = await db
			.selectFrom('audit_events')
			.selectAll()
			.where('seq', '>', seq)
			.orderBy('seq')
			.limit(CHUNK)
			.execute();
		for (const row of rows) {
			if (row.seq !== seq + 1n) throw new Broken('missing', seq + 1n, segmentOf(seq + 1n));
			seq = row.seq;
			// The earlier forms do not cover these columns.
			const told =
				(row.version >= 3n || row.state === null) &&
				(row.version !== 1n ||
					(row.kind === kindOf(row.action) &&
						row.outcome === outcomeOf(row.action) &&
						row.place === null &&
						row.request === null));
			const fits =
				told && row.prev_hash === previous && sameHex(row.hash, hashes.row(row, previous));
			if (!fits) throw new Broken('changed', seq, segmentOf(seq));
			previous = row.hash;
			const seal = kept[next];
			if (seal?.last_seq === seq) {
				if (seal.last_hash !== row.hash) throw new Broken('changed', seq, seal.number);
				next += 1;
			}
			const elsewhere =
				(head?.seq === seq && head.hash !== row.hash) ||
				(end !== null && BigInt(end.seq) === seq && end.hash !== row.hash);
			if (elsewhere) throw new Broken('changed', seq, segmentOf(seq));
			if (checked.from === 0) checked.from = Number(seq);
			checked.to = Number(seq);
			checked.rows += 1;
		}
		if (rows.length < CHUNK) break;
		await pause();
	}
	const reach = [head?.seq ?? seq + 1n, seals.at(-1)?.last_seq ?? 0n, BigInt(end?.seq ?? 0)];
	if (reach.some((wanted) => wanted > seq)) {
		throw new Broken('cut-off', seq + 1n, segmentOf(seq + 1n));
	}
}

/**
 * Checks the whole log, first to last. Rows that are added, sealed or dropped meanwhile are no fault.
 *
 * @param record what is kept outside of the database; null where nothing is
 */
export async function verifyLog(
	db: Executor<AuditTables>,
	hashes: AuditHashes,
	record: KeptRecord | null
): Promise<AuditVerdict> {
	for (;;) {
		const before = await droppedSeals(db);
		const verdict = await verifyOnce(db, hashes, record);
		// Rows that went while they were read look like missing ones.
		if (verdict.ok || (await droppedSeals(db)) === before) return verdict;
	}
}

async function droppedSeals(db: Executor<AuditTables>): Promise<bigint> {
	const { dropped } = await db
		.selectFrom('audit_checkpoints')
		.select((select) => select.fn.count<bigint>('dropped_at').as('dropped'))
		.executeTakeFirstOrThrow();
	return dropped;
}

async function verifyOnce(
	db: Executor<AuditTables>,
	hashes: AuditHashes,
	record: KeptRecord | null
): Promise<AuditVerdict> {
	// The server and the command line may each have written the same one.
	const kept = new Set(record?.seals.map(({ number }) => number));
	const copies = kept.size === 0 ? null : kept.size;
	const end = record?.end ?? null;
	const checked: AuditChecked = {
		...{ rows: 0, from: 0, to: 0, segments: 0, dropped: 0 },
		copies,
		seen: end && { seq: end.seq, at: end.at }
	};
	// The end before the seals, and the seals before the rows: each is there once what it speaks of is.
	const head = await db.selectFrom('audit_tip').selectAll().where('id', '=', 1n).executeTakeFirst();
	const seals = await sealsOf(db);
	try {
		checkSeals(seals, hashes, checked);
		if (record !== null) checkCopies(seals, record);
		await checkRows(db, hashes, seals, head, end, checked);
		checkHead(head, hashes, await isFirstForm(db, head?.seq ?? 0n));
	} catch (error) {
		if (!(error instanceof Broken)) throw error;
		return { ok: false, ...error.fault, checked };
	}
	return { ok: true, checked };
}

/** Whether an end without an HMAC is right: nothing was added since the log has the second form. */
export async function isFirstForm(db: Executor<AuditTables>, seq: bigint): Promise<boolean> {
	if (seq === 0n) return true;
	const row = await db
		.selectFrom('audit_events')
		.select('version')
		.where('seq', '=', seq)
		.executeTakeFirst();
	return row?.version === 1n;
}

interface Head {
	seq: bigint;
	hash: string;
	sealed: bigint;
	mac: string | null;
	broken_at: bigint | null;
}

/** Whether the end of the log is the one that was written. */
export function isHeadWhole(head: Head, hashes: AuditHashes, firstForm: boolean): boolean {
	if (head.broken_at !== null) return false;
	if (head.mac === null) return firstForm && head.sealed === 0n;
	return sameHex(head.mac, hashes.head(head.seq, head.hash, head.sealed));
}

function checkHead(head: Head | undefined, hashes: AuditHashes, firstForm: boolean): void {
	if (head === undefined) throw new Broken('end-changed', null, null);
	if (!isHeadWhole(head, hashes, firstForm)) {
		throw new Broken('end-changed', head.broken_at ?? head.seq + 1n, null);
	}
}
