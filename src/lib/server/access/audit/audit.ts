import { recordedRow } from '#lib/messages/auditLog.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/text/units.ts';
import { endedWithin } from '../../platform/async/endedWithin.ts';
import type { AuditEntry } from '../../platform/audit-trail/entry.ts';
import { openRecord, type StoredAccounts } from '../../platform/audit-trail/record.ts';
import type { RowState } from '../../platform/audit-trail/recorded.ts';
import type { AuditTables } from '../../platform/audit-trail/tables.ts';
import type { AuditTrail } from '../../platform/audit-trail/trail.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { AccessTables } from '../tables.ts';
import { appendEvent, type AppendedEvent } from './append.ts';
import { isBeginning, isForeign } from './beginning.ts';
import { feeCapsBefore } from './feeCapsBefore.ts';
import {
	countSegments,
	listSegments,
	SEGMENT_ROWS,
	type Dropped,
	type Segment
} from './checkpoints.ts';
import { hasEvent, listEvents, type AuditEvent } from './events.ts';
import { createHashes, type AuditKey } from './hashes.ts';
import { createOutsideCopy, isKeptHere } from './outsideCopy.ts';
import {
	BASELINE,
	createRecordedState,
	statesOfTables,
	type Difference,
	type RecordedState
} from './recordedState.ts';
import {
	checkpointOlderThan,
	createRetention,
	dropOlderThan,
	type RetentionOptions
} from './retention.ts';
import { lockTip, readTip } from './tip.ts';
import { verifyLog, type AuditVerdict } from './verify.ts';

/** Result of a verification, and when it ran. */
interface AuditCheck {
	/** Unix milliseconds. */
	at: number;
	verdict: AuditVerdict;
}

/** The state of the log. */
interface AuditStatus {
	/** Number of the last event; 0 for none. */
	last: number;
	/** Number of the last event under a checkpoint; 0 for none. */
	checkpointed: number;
	segments: number;
	dropped: number;
	/** The last verification of this process; null: none has completed yet. */
	check: AuditCheck | null;
	/** Why the copy outside of the database could not be written; null: it was. */
	copyProblem: string | null;
	/**
	 * Rows that differed from the log when this process last compared them, and when that was; null: not
	 * compared yet.
	 */
	rows: { at: number; differences: readonly Difference[] } | null;
}

export interface Audit extends AuditTrail {
	/** What the log holds about the rows that grant rights. */
	recorded: RecordedState;
	/**
	 * Records the state of all recorded rows, once, when the log begins to record them. Before that, `first`
	 * converts the rows to the current format. If the log does not start here intact, none of the rows is
	 * trusted and every row counts as different.
	 */
	beginRecording(first: (trx: Executor<AccessTables>) => Promise<void>): Promise<void>;
	/** Accepts all recorded rows as they are now. Returns what differed until then. */
	confirmAll(actor: string): Promise<Difference[]>;
	/** Compares the recorded rows with the log and keeps the result for {@link status}. */
	checkRows(): Promise<readonly Difference[]>;
	/** The differences that {@link checkRows} last found in this process. */
	knownDifferences(): readonly Difference[];
	/**
	 * Returns a function that appends the event in a transaction of its own, and that can be called again when
	 * it failed. An attempt whose commit was executed although its response was lost is not repeated.
	 */
	appender(entry: AuditEntry): () => Promise<void>;
	/** Serializes writers of accounts: they share the lock on the log's tip. */
	lock(trx: Executor<AuditTables>): Promise<void>;
	/** Returns events, newest first, at most `limit`, before the event number `before`. */
	list(options?: Parameters<typeof listEvents>[1]): Promise<AuditEvent[]>;
	/** Recomputes the hashes of the log from the first event on. */
	verify(): Promise<AuditVerdict>;
	/**
	 * Verifies the log and keeps the result for {@link status}. Concurrent callers share one verification.
	 */
	check(): Promise<AuditCheck>;
	status(): Promise<AuditStatus>;
	/** Returns segments, newest first. */
	segments(limit: number): Promise<Segment[]>;
	/** Whether the log was written under another key: neither its tip nor its events match this one. */
	isForeign(): Promise<boolean>;
	/**
	 * Adds a checkpoint when the oldest event after the last one is older than a moment (Unix milliseconds);
	 * false: it is not.
	 */
	checkpointOlderThan(before: number): Promise<boolean>;
	/**
	 * Drops whole segments under checkpoints that are older than a moment (Unix milliseconds); the
	 * checkpoints stay.
	 * @param exported number of the last event that the audit export has sent: later ones are kept; null: there
	 * is no export
	 */
	dropOlderThan(before: number, actor: string, exported: bigint | null): Promise<Dropped>;
	/** Writes what is new to the copy outside of the database. */
	keepOutside(): Promise<void>;
	/** Does the same a second later, if another server may have appended events. */
	keepOutsideSoon(): void;
	/**
	 * Whether the copy of the accounts outside of the database was written with a key of this installation.
	 */
	isOurs(kept: StoredAccounts): boolean;
	/**
	 * Repeatedly adds checkpoints by age, drops what is older than `keepDays` and verifies, until stopped.
	 */
	watch(options: WatchOptions): void;
	/** Stops the watch, waits a moment for what it has begun, and writes the outside copy once more. */
	stop(): Promise<void>;
}

interface WatchOptions extends RetentionOptions {
	onError: (error: unknown) => void;
}

interface AuditOptions {
	/** The data folder, in which the copy outside of the database is kept; left out: no copy. */
	dataDir?: string;
	segmentRows?: number;
	clock?: () => number;
}

const LOOK_EVERY_MS = 10 * MINUTE_MS;
const CHECK_EVERY_MS = 6 * HOUR_MS;
const CHECK_ROWS_EVERY_MS = 30 * 1000;
const FIRST_CHECK_AFTER_MS = 5_000;
/** Shutdown does not wait longer for what the watch has begun: a log may be long, and its database slow. */
const TIMEOUT_MS = 2_000;

/**
 * The audit log: append-only events, each with an HMAC over itself and its predecessor, under a key that the
 * database does not hold. Without the key, write access to the database does not suffice to change, remove or
 * add an event unnoticed by `verify`.
 */
export function createAudit(
	db: Executor<AccessTables>,
	key: Uint8Array | readonly [AuditKey, ...AuditKey[]],
	{ dataDir, segmentRows = SEGMENT_ROWS, clock = Date.now }: AuditOptions = {}
): Audit {
	const hashes = createHashes(key instanceof Uint8Array ? [{ key, until: null }] : key);
	const recorded = createRecordedState(db, hashes);
	const record = dataDir === undefined ? null : openRecord(dataDir);
	const copy = createOutsideCopy({ db, hashes, recorded, record, clock });
	let rows: AuditStatus['rows'] = null;
	let watching: NodeJS.Timeout[] = [];
	/** Runs that timers have started and that have not ended. */
	const underWay = new Map<() => Promise<unknown>, Promise<void>>();
	let last: AuditCheck | null = null;
	let checking: Promise<AuditCheck> | null = null;

	async function append(
		trx: Executor<AuditTables>,
		entry: AuditEntry,
		baseline?: readonly RowState[]
	): Promise<AppendedEvent> {
		const event = await appendEvent(trx, { hashes, segmentRows, clock }, entry, baseline);
		copy.keepSoon();
		return event;
	}

	const verify = (): Promise<AuditVerdict> => verifyLog(db, hashes, record?.read() ?? null);

	function check(): Promise<AuditCheck> {
		checking ??= verify()
			.then((verdict) => (last = { at: clock(), verdict }))
			.finally(() => (checking = null));
		return checking;
	}

	async function checkRows(): Promise<readonly Difference[]> {
		// Taken before the comparison: changes during it are found by the next one.
		const at = clock();
		const differences = await recorded.differences();
		rows = { at, differences };
		return differences;
	}

	async function addCheckpoint(before: number): Promise<boolean> {
		const added = await checkpointOlderThan(db, hashes, before, clock());
		if (added) copy.keepSoon();
		return added;
	}

	async function drop(before: number, actor: string, exported: bigint | null): Promise<Dropped> {
		// What is dropped must be in the outside copy first: that is the proof that it existed.
		await copy.keep();
		return dropOlderThan(db, { hashes, recorded, clock, exported, append }, before, actor);
	}

	return {
		recorded,
		checkRows,
		verify,
		check,
		checkpointOlderThan: addCheckpoint,
		dropOlderThan: drop,
		keepOutside: copy.keep,
		keepOutsideSoon: copy.keepSoon,
		knownDifferences: () => rows?.differences ?? [],
		isOurs: (kept) => isKeptHere(hashes, kept),
		isForeign: () => isForeign(db, hashes),
		list: (options) => listEvents(db, options),
		segments: (limit) => listSegments(db, limit),

		async lock(trx) {
			await lockTip(trx);
		},

		async append(entry, within) {
			if (within) await append(within, entry);
			else await db.transaction().execute((trx) => append(trx, entry));
		},

		appender(entry) {
			let tried: AppendedEvent | null = null;
			return () =>
				db.transaction().execute(async (trx) => {
					if (tried !== null) {
						// An earlier attempt that is still being committed holds the tip.
						await lockTip(trx);
						if (await hasEvent(trx, tried)) return;
					}
					tried = await append(trx, entry);
				});
		},

		async beginRecording(first) {
			await db.transaction().execute(async (trx) => {
				await lockTip(trx);
				const begun = await trx
					.selectFrom('audit_events')
					.select('seq')
					.where('version', '>=', 3n)
					.limit(1)
					.executeTakeFirst();
				if (begun) {
					const caps = await feeCapsBefore(trx, hashes, recorded);
					if (caps.length > 0)
						await append(trx, { actor: 'engine', action: 'audit.extended' }, caps);
					return;
				}
				const believed = await isBeginning(trx, hashes, record);
				if (believed) await first(trx);
				const states = await statesOfTables(trx);
				if (states.length === 0) return;
				await append(trx, { actor: 'engine', action: BASELINE }, believed ? states : []);
			});
		},

		async confirmAll(actor) {
			const confirmed = await db.transaction().execute(async (trx) => {
				await lockTip(trx);
				const found = await recorded.differences(trx);
				if (found.length === 0) return found;
				const rows = found.map((one) => ({ code: 'row' as const, params: recordedRow(one) }));
				await append(trx, { actor, action: BASELINE, detail: { rows } }, await statesOfTables(trx));
				return found;
			});
			await checkRows();
			return confirmed;
		},

		async status() {
			const tip = await readTip(db);
			return {
				last: Number(tip?.seq ?? 0n),
				checkpointed: Number(tip?.checkpointed ?? 0n),
				...(await countSegments(db)),
				check: last,
				copyProblem: copy.problem(),
				rows
			};
		},

		watch({ onError, ...options }) {
			const retain = createRetention({ drop, db, clock }, options);
			/** What goes on after the end of the watch may fail because of that end, which is no news. */
			const tell = (error: unknown): void => {
				if (watching.length > 0) onError(error);
			};
			/** Skips a run while the last one goes on: when the database is slow, more runs would make it slower. */
			const oneAtATime = (work: () => Promise<unknown>) => (): void => {
				if (underWay.has(work)) return;
				const ended = work()
					.then(() => undefined, tell)
					.finally(() => underWay.delete(work));
				underWay.set(work, ended);
			};
			const look = oneAtATime(async () => {
				await addCheckpoint(clock() - DAY_MS);
				await retain();
				await copy.keep();
			});
			const compare = oneAtATime(checkRows);
			const checkNow = (): void => {
				compare();
				void check().catch(tell);
			};
			watching = [
				setInterval(look, LOOK_EVERY_MS),
				setInterval(checkNow, CHECK_EVERY_MS),
				setInterval(compare, CHECK_ROWS_EVERY_MS),
				setTimeout(checkNow, FIRST_CHECK_AFTER_MS)
			];
			for (const timer of watching) timer.unref();
		},

		async stop() {
			for (const timer of watching) clearTimeout(timer);
			watching = [];
			const ended = Promise.allSettled([...underWay.values(), checking]);
			await endedWithin(ended, TIMEOUT_MS);
			await copy.stop();
		}
	};
}
