import { differenceSentence } from '#lib/messages/auditLog.ts';
import {
	factsOf,
	type AuditEntry,
	type AuditKind,
	type AuditOutcome
} from '../../platform/audit-trail/entry.ts';
import { openRecord, type KeptAccounts, type KeptSeal } from '../../platform/audit-trail/record.ts';
import { takeTouched, type RowState } from '../../platform/audit-trail/recorded.ts';
import type { AuditTables } from '../../platform/audit-trail/tables.ts';
import type { AuditTrail } from '../../platform/audit-trail/trail.ts';
import type { Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import { sameHex } from '../../platform/secrets/sameHex.ts';
import type { AccessTables } from '../tables.ts';
import { currentCallerId, currentRequest } from './context.ts';
import { createHashes, type AuditKey } from './hashes.ts';
import {
	BASELINE,
	DROPPED,
	createRecordedState,
	statesOfTables,
	stateText,
	type Difference,
	type RecordedState
} from './recordedState.ts';
import { DROPPED_AT_ONCE, dropBefore, SEGMENT_ROWS, sealUpTo, type Dropped } from './segments.ts';
import { isFirstForm, isHeadWhole, verifyLog, type AuditVerdict } from './verify.ts';

export interface AuditRow {
	seq: number;
	/** Unix milliseconds. */
	time: number;
	actor: string;
	action: string;
	kind: AuditKind;
	target: string | null;
	/** Chain, daemon or node. */
	place: string | null;
	outcome: AuditOutcome;
	/** Id of the request that led to it. */
	request: string | null;
	detail: Record<string, unknown>;
}

/** What a check found, and when. */
export interface AuditCheck {
	/** Unix milliseconds. */
	at: number;
	verdict: AuditVerdict;
}

/** A sealed segment, for people. */
export interface Segment {
	number: number;
	first: number;
	last: number;
	rows: number;
	/** Times of its first and last row, Unix milliseconds. */
	firstTime: number;
	lastTime: number;
	sealedAt: number;
	/** When its rows were dropped; null: they are there. */
	droppedAt: number | null;
	/** The seal itself. */
	mac: string;
}

/** Where the log stands. */
export interface AuditStanding {
	/** Number of the last row; 0 for none. */
	last: number;
	/** Last row that is sealed; 0 for none. */
	sealed: number;
	segments: number;
	dropped: number;
	/** The last check of this process; null: none has ended yet. */
	check: AuditCheck | null;
	/** Why the copy outside of the database could not be written; null: it was. */
	copyProblem: string | null;
	/** Rows that differed from the log when this process last looked. */
	differences: readonly Difference[];
}

export interface Audit extends AuditTrail {
	/** What the log says that the rows say which give rights. */
	recorded: RecordedState;
	/**
	 * Writes down all recorded rows as they are. Once, when the log begins to record them, `first` brings them into
	 * the form of today; where the log was cut off nothing is believed, and every row differs.
	 */
	beginRecording(first: (trx: Executor<AccessTables>) => Promise<void>): Promise<void>;
	/** Takes all recorded rows as they are for right; what differed until then. */
	confirmAll(actor: string): Promise<Difference[]>;
	/** Looks for rows that differ from the log and keeps the result for {@link standing}. */
	checkRows(): Promise<readonly Difference[]>;
	/** The last look of this process. */
	knownDifferences(): readonly Difference[];
	/** Lets writers of accounts pass one after the other: the head of the chain is the lock they share. */
	lock(trx: Executor<AuditTables>): Promise<void>;
	/** Newest first, at most `limit`, before the row `before`. */
	list(options?: {
		limit?: number;
		before?: number;
		actor?: string;
		action?: string;
	}): Promise<AuditRow[]>;
	/** Computes the chain again from the first row. */
	verify(): Promise<AuditVerdict>;
	/** Verifies and keeps the result for {@link standing}; who asks meanwhile gets the same check. */
	check(): Promise<AuditCheck>;
	standing(): Promise<AuditStanding>;
	/** Segments, the newest first. */
	segments(limit: number): Promise<Segment[]>;
	/** Whether the log was written under another key: neither its end nor its rows fit this one. */
	isForeign(): Promise<boolean>;
	/** Seals the rows behind the last seal when the oldest of them is older than a moment; false: none is. */
	sealOlderThan(before: number): Promise<boolean>;
	/** Drops whole sealed segments that are older than a moment; their seals stay. */
	dropOlderThan(before: number, actor: string): Promise<Dropped>;
	/** Writes what is new to the copy outside of the database. */
	keepOutside(): Promise<void>;
	/** Whether what was kept of the accounts outside of the database was written with a key of this installation. */
	isOurs(kept: KeptAccounts): boolean;
	/** Seals by age, drops what is older than `keepDays`, checks, and goes on with it until stopped. */
	watch(options: { keepDays: number | null; onError: (error: unknown) => void }): void;
	/** Ends the watch and writes the copy outside once more. */
	stop(): Promise<void>;
}

interface AuditOptions {
	/** The data folder, where seals are kept outside of the database; without it nowhere. */
	dataDir?: string;
	segmentRows?: number;
	clock?: () => number;
}

const DAY = 24 * 60 * 60 * 1000;
/** How soon after a row the copy outside is written. */
const KEEP_AFTER_MS = 1_000;
const LOOK_EVERY_MS = 10 * 60 * 1000;
const CHECK_EVERY_MS = 6 * 60 * 60 * 1000;
const CHECK_ROWS_EVERY_MS = 30 * 1000;
const FIRST_CHECK_AFTER_MS = 5_000;

/**
 * The audit log: rows that are only added, each sealed with an HMAC over itself and the one before, under
 * a key that the database does not hold. Who can write to the database but has no key cannot change,
 * remove or add a row without `verify` finding it.
 */
export function createAudit(
	db: Executor<AccessTables>,
	key: Uint8Array | readonly [AuditKey, ...AuditKey[]],
	{ dataDir, segmentRows = SEGMENT_ROWS, clock = Date.now }: AuditOptions = {}
): Audit {
	const hashes = createHashes(key instanceof Uint8Array ? [{ key, until: null }] : key);
	const recorded = createRecordedState(db, hashes);
	let differing: readonly Difference[] = [];
	const record = dataDir === undefined ? null : openRecord(dataDir);
	let soon: NodeJS.Timeout | undefined;
	let watching: NodeJS.Timeout[] = [];
	let copyProblem: string | null = null;
	let last: AuditCheck | null = null;
	let checking: Promise<AuditCheck> | null = null;
	let keptAccounts: string | null = null;
	let keeping: Promise<void> = Promise.resolve();

	function keepSoon(): void {
		if (record === null || soon !== undefined) return;
		soon = setTimeout(() => {
			soon = undefined;
			// What went wrong is shown with the state of the log.
			keepOutside().catch(() => undefined);
		}, KEEP_AFTER_MS);
		soon.unref();
	}

	/** Takes the next number, which locks the head for the rest of the transaction on both databases. */
	async function nextHead(trx: Executor<AuditTables>) {
		const head = await trx
			.updateTable('audit_tip')
			.set((set) => ({ seq: set('seq', '+', 1n) }))
			.where('id', '=', 1n)
			.returning(['seq', 'hash', 'sealed', 'mac', 'broken_at', 'key_id'])
			.executeTakeFirstOrThrow();
		if (head.key_id !== null && head.key_id !== hashes.keyId)
			throw new AppError('secret.key-changed');
		const before = { ...head, seq: head.seq - 1n };
		const whole = isHeadWhole(
			before,
			hashes,
			head.mac === null && (await isFirstForm(trx, before.seq))
		);
		return { ...head, whole };
	}

	async function appendWithin(
		trx: Executor<AuditTables>,
		entry: AuditEntry,
		baseline?: readonly RowState[]
	): Promise<void> {
		const state = baseline ? (stateText(baseline) ?? '[]') : stateText(await takeTouched(trx));
		const head = await nextHead(trx);
		const now = clock();
		const byEngine = entry.actor === 'engine';
		const callerRequest = byEngine ? null : currentCallerId();
		const facts = {
			...factsOf(
				callerRequest === null ? entry : { ...entry, detail: { ...entry.detail, callerRequest } }
			),
			version: 3n,
			state,
			seq: head.seq,
			time: BigInt(now),
			request: byEngine ? null : currentRequest()
		};
		const hash = hashes.row(facts, head.hash);
		await trx
			.insertInto('audit_events')
			.values({ ...facts, prev_hash: head.hash, hash })
			.execute();
		const full = head.seq - head.sealed >= BigInt(segmentRows);
		const sealed = full ? await sealUpTo(trx, hashes, { ...head, hash }, now) : head.sealed;
		await trx
			.updateTable('audit_tip')
			.set({
				hash,
				sealed,
				key_id: hashes.keyId,
				// An end that somebody put elsewhere stays wrong: a good one would hide it.
				...(head.whole
					? { mac: hashes.head(head.seq, hash, sealed) }
					: { mac: '', broken_at: head.broken_at ?? head.seq })
			})
			.where('id', '=', 1n)
			.execute();
		keepSoon();
	}

	async function lock(trx: Executor<AuditTables>): Promise<void> {
		await trx
			.updateTable('audit_tip')
			.set((set) => ({ seq: set.ref('seq') }))
			.where('id', '=', 1n)
			.execute();
	}

	const readHead = (within: Executor<AuditTables>) =>
		within.selectFrom('audit_tip').selectAll().where('id', '=', 1n).executeTakeFirst();

	/**
	 * Only what goes on from the copy is added to it: where the two disagree, the copy is the evidence and
	 * stays as it is.
	 */
	async function keepOnce(): Promise<void> {
		if (record === null) return;
		try {
			const { seal: lastKnown, end } = record.last();
			const head = await readHead(db);
			if (!head || !isHeadWhole(head, hashes, await isFirstForm(db, head.seq))) return;
			const seals = await db
				.selectFrom('audit_checkpoints')
				.selectAll()
				.where('number', '>=', BigInt(lastKnown?.number ?? 1))
				.orderBy('number')
				.execute();
			const [first] = seals;
			if (lastKnown && !sameHex(first?.mac ?? null, lastKnown.mac)) return;
			const fresh = (lastKnown ? seals.slice(1) : seals).map((seal): KeptSeal => ({
				number: Number(seal.number),
				first: Number(seal.first_seq),
				last: Number(seal.last_seq),
				rows: Number(seal.rows),
				lastHash: seal.last_hash,
				previous: seal.previous,
				sealedAt: Number(seal.sealed_at),
				mac: seal.mac
			}));
			if (fresh.length > 0) record.addSeals(fresh);
			if (end !== null) {
				if (BigInt(end.seq) >= head.seq) return;
				const row = await db
					.selectFrom('audit_events')
					.select('hash')
					.where('seq', '=', BigInt(end.seq))
					.executeTakeFirst();
				// Without the row its segment was dropped, which the seals prove.
				const dropped = seals.some((seal) => seal.last_seq >= BigInt(end.seq)) || lastKnown;
				if (row ? row.hash !== end.hash : !dropped) return;
			}
			const { mac } = head;
			if (head.seq > 0n && mac !== null) {
				record.setEnd({ seq: Number(head.seq), hash: head.hash, at: clock(), mac });
				await keepAccounts();
			}
			copyProblem = null;
		} catch (error) {
			copyProblem = error instanceof Error ? error.message : String(error);
			throw error;
		}
	}

	/** One after the other: two at once would write the same seal. */
	function keepOutside(): Promise<void> {
		keeping = keeping.catch(() => undefined).then(keepOnce);
		return keeping;
	}

	/** What a restore of an earlier backup is held against: who was shut out since. */
	async function keepAccounts(): Promise<void> {
		const states = (await recorded.baseline(db)).filter(({ table }) => table === 'accounts');
		const accounts = Object.fromEntries(
			states.map(({ key: [id = ''], is }) => [id, { ...is }] as const).toSorted()
		);
		const mac = hashes.accounts(JSON.stringify(accounts));
		if (mac === keptAccounts) return;
		record?.setAccounts({ accounts, mac });
		keptAccounts = mac;
	}

	/** What is kept outside, when it was written with a key of this installation. */
	function isOurs({ accounts, mac }: KeptAccounts): boolean {
		return hashes.isAccounts(mac, JSON.stringify(accounts));
	}

	const verify = (): Promise<AuditVerdict> => verifyLog(db, hashes, record?.read() ?? null);

	function check(): Promise<AuditCheck> {
		checking ??= verify()
			.then((verdict) => (last = { at: clock(), verdict }))
			.finally(() => (checking = null));
		return checking;
	}

	/** Whether the first row, or the last one, was written with this key. */
	async function fits(order: 'asc' | 'desc'): Promise<boolean> {
		const row = await db
			.selectFrom('audit_events')
			.selectAll()
			.orderBy('seq', order)
			.limit(1)
			.executeTakeFirst();
		return row === undefined || sameHex(row.hash, hashes.row(row, row.prev_hash));
	}

	async function isForeign(): Promise<boolean> {
		const head = await readHead(db);
		if (!head || head.seq === 0n || isHeadWhole(head, hashes, false)) return false;
		// A changed row, or an end that was moved, leaves the others as they were.
		return !(await fits('asc')) && !(await fits('desc'));
	}

	async function sealOlderThan(before: number): Promise<boolean> {
		const sealed = await db.transaction().execute(async (trx) => {
			await lock(trx);
			const head = await readHead(trx);
			if (!head || head.seq === head.sealed) return false;
			const oldest = await trx
				.selectFrom('audit_events')
				.select('time')
				.where('seq', '=', head.sealed + 1n)
				.executeTakeFirst();
			if (!oldest || oldest.time >= BigInt(before)) return false;
			const whole = isHeadWhole(head, hashes, await isFirstForm(trx, head.seq));
			const upTo = await sealUpTo(trx, hashes, head, clock());
			if (upTo === head.sealed) return false;
			await trx
				.updateTable('audit_tip')
				.set({ sealed: upTo, ...(whole ? { mac: hashes.head(head.seq, head.hash, upTo) } : {}) })
				.where('id', '=', 1n)
				.execute();
			return true;
		});
		if (sealed) keepSoon();
		return sealed;
	}

	const dropSome = (before: number, actor: string): Promise<Dropped> =>
		db.transaction().execute(async (trx) => {
			await lock(trx);
			// Taken before the events go that it is made of.
			const baseline = await recorded.baseline(trx);
			const dropped = await dropBefore(trx, hashes, before, clock());
			if (dropped.segments !== null) {
				const [first, through] = dropped.segments;
				const target = first === through ? `segment ${first}` : `segments ${first} to ${through}`;
				const detail = { rows: dropped.rows, olderThan: new Date(before).toISOString() };
				await appendWithin(trx, { actor, action: DROPPED, target, detail }, baseline);
			}
			return dropped;
		});

	async function dropOlderThan(before: number, actor: string): Promise<Dropped> {
		// What goes must stand outside first: it is the proof that it was there.
		await keepOutside();
		const all: Dropped = { segments: null, rows: 0 };
		for (;;) {
			const { segments, rows } = await dropSome(before, actor);
			if (segments === null) return all;
			all.segments = [all.segments?.[0] ?? segments[0], segments[1]];
			all.rows += rows;
			if (segments[1] - segments[0] + 1 < DROPPED_AT_ONCE) return all;
		}
	}

	async function checkRows(): Promise<readonly Difference[]> {
		differing = await recorded.differences();
		return differing;
	}

	/** Whether nothing shows that the log was longer than it is, or had accounts in it. */
	async function isBeginning(trx: Executor<AccessTables>): Promise<boolean> {
		const head = await readHead(trx);
		if (!head || !isHeadWhole(head, hashes, await isFirstForm(trx, head.seq))) return false;
		if (BigInt(record?.last().end?.seq ?? 0) > head.seq) return false;
		const last = await trx
			.selectFrom('audit_events')
			.select('hash')
			.where('seq', '=', head.seq)
			.executeTakeFirst();
		if (head.seq > 0n) return last?.hash === head.hash;
		const account = await trx.selectFrom('accounts').select('id').limit(1).executeTakeFirst();
		return account === undefined;
	}

	async function beginRecording(
		first: (trx: Executor<AccessTables>) => Promise<void>
	): Promise<void> {
		await db.transaction().execute(async (trx) => {
			await lock(trx);
			const begun = await trx
				.selectFrom('audit_events')
				.select('seq')
				.where('version', '>=', 3n)
				.limit(1)
				.executeTakeFirst();
			if (begun) return;
			const believed = await isBeginning(trx);
			if (believed) await first(trx);
			const states = await statesOfTables(trx);
			if (states.length === 0) return;
			await appendWithin(trx, { actor: 'engine', action: BASELINE }, believed ? states : []);
		});
	}

	async function confirmAll(actor: string): Promise<Difference[]> {
		const confirmed = await db.transaction().execute(async (trx) => {
			await lock(trx);
			const found = await recorded.differences(trx);
			if (found.length === 0) return found;
			const detail = { rows: found.map((one) => differenceSentence(one)) };
			await appendWithin(trx, { actor, action: BASELINE, detail }, await statesOfTables(trx));
			return found;
		});
		await checkRows();
		return confirmed;
	}

	return {
		recorded,
		isOurs,
		beginRecording,
		confirmAll,
		checkRows,
		knownDifferences: () => differing,
		async append(entry, within) {
			if (within) await appendWithin(within, entry);
			else await db.transaction().execute((trx) => appendWithin(trx, entry));
		},
		lock,
		verify,
		check,
		isForeign,
		sealOlderThan,
		dropOlderThan,
		keepOutside,

		async list({ limit = 100, before, actor, action } = {}) {
			let query = db.selectFrom('audit_events').selectAll().orderBy('seq', 'desc').limit(limit);
			if (before !== undefined) query = query.where('seq', '<', BigInt(before));
			if (actor !== undefined) query = query.where('actor', '=', actor);
			if (action !== undefined) query = query.where('action', '=', action);
			return (await query.execute()).map(rowOf);
		},

		async standing() {
			const head = await readHead(db);
			const { segments, dropped } = await db
				.selectFrom('audit_checkpoints')
				.select((select) => [
					select.fn.countAll<bigint>().as('segments'),
					select.fn.count<bigint>('dropped_at').as('dropped')
				])
				.executeTakeFirstOrThrow();
			return {
				last: Number(head?.seq ?? 0n),
				sealed: Number(head?.sealed ?? 0n),
				segments: Number(segments),
				dropped: Number(dropped),
				check: last,
				copyProblem,
				differences: differing
			};
		},

		async segments(limit) {
			const rows = await db
				.selectFrom('audit_checkpoints')
				.selectAll()
				.orderBy('number', 'desc')
				.limit(limit)
				.execute();
			return rows.map((seal) => ({
				number: Number(seal.number),
				first: Number(seal.first_seq),
				last: Number(seal.last_seq),
				rows: Number(seal.rows),
				firstTime: Number(seal.first_time),
				lastTime: Number(seal.last_time),
				sealedAt: Number(seal.sealed_at),
				droppedAt: seal.dropped_at === null ? null : Number(seal.dropped_at),
				mac: seal.mac
			}));
		},

		watch({ keepDays, onError }) {
			const look = async (): Promise<void> => {
				await sealOlderThan(clock() - DAY);
				if (keepDays !== null) await dropOlderThan(clock() - keepDays * DAY, 'configuration');
				await keepOutside();
			};
			const checkNow = (): void =>
				void Promise.all([checkRows(), check()]).catch((error: unknown) => onError(error));
			watching = [
				setInterval(() => void look().catch(onError), LOOK_EVERY_MS),
				setInterval(checkNow, CHECK_EVERY_MS),
				setInterval(() => void checkRows().catch(onError), CHECK_ROWS_EVERY_MS),
				setTimeout(checkNow, FIRST_CHECK_AFTER_MS)
			];
			for (const timer of watching) timer.unref();
		},

		async stop() {
			for (const timer of watching) clearTimeout(timer);
			watching = [];
			clearTimeout(soon);
			soon = undefined;
			await checking?.catch(() => undefined);
			await keepOutside();
		}
	};
}

/** A row as people read it. */
export function rowOf(row: {
	seq: bigint;
	time: bigint;
	actor: string;
	action: string;
	kind: AuditKind;
	target: string | null;
	place: string | null;
	outcome: AuditOutcome;
	request: string | null;
	detail: string;
}): AuditRow {
	const { actor, action, kind, target, place, outcome, request } = row;
	return {
		...{ seq: Number(row.seq), time: Number(row.time) },
		...{ actor, action, kind, target, place, outcome, request },
		detail: JSON.parse(row.detail) as Record<string, unknown>
	};
}
