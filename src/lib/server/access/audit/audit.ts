import { differenceSentence } from '#lib/messages/auditLog.ts';
import type { AuditEntry } from '../../platform/audit-trail/entry.ts';
import { openRecord, type KeptAccounts } from '../../platform/audit-trail/record.ts';
import type { RowState } from '../../platform/audit-trail/recorded.ts';
import type { AuditTables } from '../../platform/audit-trail/tables.ts';
import type { AuditTrail } from '../../platform/audit-trail/trail.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { AccessTables } from '../tables.ts';
import { appendEvent } from './append.ts';
import { isBeginning, isForeign } from './beginning.ts';
import { feeCapsBefore } from './feeCapsBefore.ts';
import {
	countSegments,
	listSegments,
	SEGMENT_ROWS,
	type Dropped,
	type Segment
} from './checkpoints.ts';
import { listEvents, type AuditEvent } from './events.ts';
import { createHashes, type AuditKey } from './hashes.ts';
import { createOutsideCopy, isKeptHere } from './outsideCopy.ts';
import {
	BASELINE,
	createRecordedState,
	statesOfTables,
	type Difference,
	type RecordedState
} from './recordedState.ts';
import { checkpointOlderThan, createDropGate, dropOlderThan } from './retention.ts';
import { lockTip, readTip } from './tip.ts';
import { verifyLog, type AuditVerdict } from './verify.ts';

/** What a check found, and when. */
interface AuditCheck {
	/** Unix milliseconds. */
	at: number;
	verdict: AuditVerdict;
}

/** Where the log stands. */
interface AuditStatus {
	/** Number of the last event; 0 for none. */
	last: number;
	/** Last event under a checkpoint; 0 for none. */
	checkpointed: number;
	segments: number;
	dropped: number;
	/** The last check of this process; null: none has ended yet. */
	check: AuditCheck | null;
	/** Why the copy outside of the database could not be written; null: it was. */
	copyProblem: string | null;
	/** Rows that differed from the log when this process last looked, and when that was; null: it has not looked yet. */
	rows: { at: number; differences: readonly Difference[] } | null;
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
	/** Looks for rows that differ from the log and keeps the result for {@link status}. */
	checkRows(): Promise<readonly Difference[]>;
	/** The last look of this process. */
	knownDifferences(): readonly Difference[];
	/** Lets writers of accounts pass one after the other: the tip of the log is the lock they share. */
	lock(trx: Executor<AuditTables>): Promise<void>;
	/** Newest first, at most `limit`, before the event `before`. */
	list(options?: Parameters<typeof listEvents>[1]): Promise<AuditEvent[]>;
	/** Computes the log again from the first event. */
	verify(): Promise<AuditVerdict>;
	/** Verifies and keeps the result for {@link status}; who asks meanwhile gets the same check. */
	check(): Promise<AuditCheck>;
	status(): Promise<AuditStatus>;
	/** Segments, the newest first. */
	segments(limit: number): Promise<Segment[]>;
	/** Whether the log was written under another key: neither its tip nor its events fit this one. */
	isForeign(): Promise<boolean>;
	/** Adds a checkpoint when the oldest event behind the last one is older than a moment; false: none is. */
	checkpointOlderThan(before: number): Promise<boolean>;
	/** Drops whole segments under checkpoints that are older than a moment; the checkpoints stay. */
	dropOlderThan(before: number, actor: string): Promise<Dropped>;
	/** Writes what is new to the copy outside of the database. */
	keepOutside(): Promise<void>;
	/** Whether what was kept of the accounts outside of the database was written with a key of this installation. */
	isOurs(kept: KeptAccounts): boolean;
	/** Adds checkpoints by age, drops what is older than `keepDays`, checks, and goes on with it until stopped. */
	watch(options: { keepDays: number | null; onError: (error: unknown) => void }): void;
	/** Ends the watch and writes the copy outside once more. */
	stop(): Promise<void>;
}

interface AuditOptions {
	/** The data folder, where checkpoints are kept outside of the database; without it nowhere. */
	dataDir?: string;
	segmentRows?: number;
	clock?: () => number;
}

const DAY = 24 * 60 * 60 * 1000;
const LOOK_EVERY_MS = 10 * 60 * 1000;
const CHECK_EVERY_MS = 6 * 60 * 60 * 1000;
const CHECK_ROWS_EVERY_MS = 30 * 1000;
const FIRST_CHECK_AFTER_MS = 5_000;

/**
 * The audit log: events that are only added, each with an HMAC over itself and the one before, under
 * a key that the database does not hold. Who can write to the database but has no key cannot change,
 * remove or add an event without `verify` finding it.
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
	let last: AuditCheck | null = null;
	let checking: Promise<AuditCheck> | null = null;

	async function append(
		trx: Executor<AuditTables>,
		entry: AuditEntry,
		baseline?: readonly RowState[]
	): Promise<void> {
		await appendEvent(trx, { hashes, segmentRows, clock }, entry, baseline);
		copy.keepSoon();
	}

	const verify = (): Promise<AuditVerdict> => verifyLog(db, hashes, record?.read() ?? null);

	function check(): Promise<AuditCheck> {
		checking ??= verify()
			.then((verdict) => (last = { at: clock(), verdict }))
			.finally(() => (checking = null));
		return checking;
	}

	async function checkRows(): Promise<readonly Difference[]> {
		// What changes while they are looked through is for the next look.
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

	async function drop(before: number, actor: string): Promise<Dropped> {
		// What goes must stand outside first: it is the proof that it was there.
		await copy.keep();
		return dropOlderThan(db, { hashes, recorded, clock, append }, before, actor);
	}

	return {
		recorded,
		checkRows,
		verify,
		check,
		checkpointOlderThan: addCheckpoint,
		dropOlderThan: drop,
		keepOutside: copy.keep,
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
				const detail = { rows: found.map((one) => differenceSentence(one)) };
				await append(trx, { actor, action: BASELINE, detail }, await statesOfTables(trx));
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

		watch({ keepDays, onError }) {
			const mayDrop = createDropGate(db, clock);
			// Before anything of this run is in the log.
			void mayDrop().catch(onError);
			const look = async (): Promise<void> => {
				await addCheckpoint(clock() - DAY);
				const may = await mayDrop();
				if (keepDays !== null && may) await drop(clock() - keepDays * DAY, 'configuration');
				await copy.keep();
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
			await checking?.catch(() => undefined);
			await copy.stop();
		}
	};
}
