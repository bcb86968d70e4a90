/** What the log says that the recorded rows say, and where the database says something else. */
import type { Selectable } from 'kysely';
import type { AuditEventsTable } from '../../platform/audit-trail/tables.ts';
import {
	agree,
	idOf,
	RECORDED_TABLES,
	readRows,
	recordedTable,
	type Facts,
	type RecordedTable,
	type RowState
} from '../../platform/audit-trail/recorded.ts';
import type { Executor } from '../../platform/database/database.ts';
import { sameText } from '../../platform/secrets/sameText.ts';
import type { AccessTables } from '../tables.ts';
import type { AuditHashes } from './hashes.ts';
import { isTipIntact, readTip } from './tip.ts';

/** Actions of events that hold the state of all recorded rows, so that earlier events are not needed. */
export const BASELINE = 'audit.baseline';
export const DROPPED = 'audit.dropped';
const BASELINES: readonly string[] = [BASELINE, DROPPED];

/** A row that was added, changed or removed without an event. */
export interface Difference {
	table: RecordedTable;
	key: readonly string[];
	/** Values of the differing columns according to the log; null: the row does not exist there. */
	expected: Facts | null;
	/** Values of these columns in the database; null: the row does not exist there. */
	found: Facts | null;
	/** Name of the account that the row belongs to; null: none, or not known. */
	whose: string | null;
	/** Id of that account. */
	account: string | null;
}

interface State {
	/** Number of the last event that was read; 0 before the first. */
	seq: bigint;
	/** Its hash; empty before the first. */
	hash: string;
	rows: ReadonlyMap<string, Facts>;
}

/** A row that was read, and whether all of it matches the log. */
export interface Vouched<T> {
	row: T;
	vouched: boolean;
}

export interface RecordedState {
	/** Returns every row that differs. Within a transaction, pass the transaction. */
	differences(
		within?: Executor<AccessTables>,
		tables?: readonly RecordedTable[]
	): Promise<Difference[]>;
	/**
	 * Reads something that grants a right, and tells whether it matches the log.
	 * @param parts the recorded rows in it, with the columns that were read
	 */
	vouch<T>(
		read: () => Promise<T | undefined>,
		parts: (row: T) => readonly RecordedPart[],
		within?: Executor<AccessTables>
	): Promise<Vouched<T> | null>;
	/**
	 * Returns the rows as recorded by the events with this target, including rows that were removed from the
	 * record since, and the action of the last event; null when there is none.
	 */
	said(
		target: string,
		within: Executor<AccessTables>
	): Promise<{ rows: ReadonlyMap<string, Facts>; last: string | null }>;
	/** All that is recorded, as one event holds it. */
	baseline(within: Executor<AccessTables>): Promise<RowState[]>;
}

/** A recorded row, with the columns that were read. */
export interface RecordedPart {
	table: RecordedTable;
	key: readonly string[];
	facts: Facts;
}

const EMPTY: State = { seq: 0n, hash: '', rows: new Map() };
const TRIES = 3;

/** The text that an event stores about rows; null for none. */
export const stateText = (states: readonly RowState[]): string | null =>
	states.length === 0
		? null
		: JSON.stringify(states.map(({ table, key, is, merge }) => [table, key, is, merge ? 1 : 0]));

function apply(rows: Map<string, Facts>, text: string, keepsGone = false): void {
	for (const [table, key, is, merge] of JSON.parse(text) as [
		string,
		string[],
		Facts | null,
		number
	][]) {
		const id = idOf(recordedTable(table), key);
		if (is === null) {
			if (!keepsGone) rows.delete(id);
		}
		// A partial change of a row that is not on record does not put it on record.
		else if (merge === 1) {
			const before = rows.get(id);
			if (before) rows.set(id, { ...before, ...is });
		} else rows.set(id, is);
	}
}

/** Reads the log as far as needed, and caches its state between calls. */
export function createRecordedState(
	db: Executor<AccessTables>,
	hashes: AuditHashes
): RecordedState {
	let known: State = EMPTY;

	const withState = (within: Executor<AccessTables>) =>
		within
			.selectFrom('audit_events')
			.selectAll()
			.where('state', 'is not', null)
			// The hashes of earlier versions do not cover the state.
			.where('version', '>=', 3n)
			.orderBy('seq');

	/** Keeps the events whose hash was made with the key of this installation. */
	const ours = (events: readonly Selectable<AuditEventsTable>[]) =>
		events.filter((event) => sameText(event.hash, hashes.row(event, event.prev_hash)));

	/** Returns the events from `seq` on that record rows; with `baselines` only baselines. */
	const eventsFrom = async (within: Executor<AccessTables>, seq: bigint, baselines: boolean) => {
		let query = withState(within).where('seq', '>=', seq);
		if (baselines) query = query.where('action', 'in', BASELINES);
		return ours(await query.execute());
	};

	/**
	 * Whether the log is not the one that a state was read from: it ends before the last event of the state, or has
	 * another one by that number. A database that took the place of another may lack its last events. An event that was
	 * only removed from the log says nothing.
	 */
	async function isOfOtherLog(within: Executor<AccessTables>, state: State): Promise<boolean> {
		if (state.seq === 0n) return false;
		const tip = await readTip(within);
		if (tip === undefined || !(await isTipIntact(within, hashes, tip))) return false;
		const isShorter = tip.seq < state.seq;
		const event = await within
			.selectFrom('audit_events')
			.selectAll()
			.where('seq', '=', isShorter ? tip.seq : state.seq)
			.executeTakeFirst();
		if (event === undefined || ours([event]).length === 0) return false;
		return isShorter ? event.hash === tip.hash : event.hash !== state.hash;
	}

	/** Reads what was recorded since a state; all, if that is of another log. */
	async function read(within: Executor<AccessTables>, from: State): Promise<State> {
		let state = from;
		if (state.seq === 0n) {
			const base = (await eventsFrom(within, 0n, true)).at(-1);
			if (base === undefined) state = EMPTY;
			else {
				const rows = new Map<string, Facts>();
				apply(rows, base.state ?? '[]');
				state = { seq: base.seq, hash: base.hash, rows };
			}
		}
		const found = await eventsFrom(within, state.seq, false);
		const follows = found[0]?.seq === state.seq && found[0].hash === state.hash;
		if (!follows && (await isOfOtherLog(within, state))) return read(within, EMPTY);
		const events = found.filter(({ seq }) => seq > state.seq);
		const last = events.at(-1);
		if (last === undefined) return state;
		const rows = new Map(state.rows);
		for (const event of events) {
			if (BASELINES.includes(event.action)) rows.clear();
			apply(rows, event.state ?? '[]');
		}
		return { seq: last.seq, hash: last.hash, rows };
	}

	/** The state that a transaction reads is not cached, since the transaction may be rolled back. */
	async function latest(within: Executor<AccessTables>): Promise<State> {
		const state = await read(within, known);
		if (within === db) known = state;
		return state;
	}

	async function compare(
		within: Executor<AccessTables>,
		{ rows }: State,
		tables: readonly RecordedTable[]
	): Promise<Omit<Difference, 'whose' | 'account'>[]> {
		const found: Omit<Difference, 'whose' | 'account'>[] = [];
		for (const table of tables) {
			const seen = new Set<string>();
			for (const { key, facts } of await readRows(within, table)) {
				const id = idOf(table, key);
				seen.add(id);
				const recorded = rows.get(id);
				if (agree(recorded, facts)) continue;
				const odd = Object.keys(facts).filter(
					(column) =>
						recorded !== undefined && !agree(recorded, { [column]: facts[column] ?? null })
				);
				const some = (all: Facts): Facts =>
					Object.fromEntries(odd.map((column) => [column, all[column] ?? null]));
				found.push(
					recorded
						? { table, key, expected: some(recorded), found: some(facts) }
						: { table, key, expected: null, found: facts }
				);
			}
			for (const [id, expected] of rows) {
				const [of, ...key] = JSON.parse(id) as [RecordedTable, ...string[]];
				if (of === table && !seen.has(id)) found.push({ table, key, expected, found: null });
			}
		}
		return found;
	}

	async function named(
		within: Executor<AccessTables>,
		{ rows }: State,
		found: readonly Omit<Difference, 'whose' | 'account'>[]
	): Promise<Difference[]> {
		if (found.length === 0) return [];
		const accounts = await within.selectFrom('accounts').select(['id', 'name']).execute();
		const names = new Map(accounts.map(({ id, name }) => [id, name]));
		return found.map((one) => {
			const [first = ''] = one.key;
			const recorded = rows.get(idOf(one.table, one.key));
			const account = ['accounts', 'wallet_grants', 'spending_limits'].includes(one.table)
				? first
				: (one.found?.['account_id'] ?? recorded?.['account_id'] ?? null);
			const known = account === null ? undefined : names.get(account);
			const whose = known ?? rows.get(idOf('accounts', [account ?? '']))?.['name'] ?? null;
			return { ...one, whose, account };
		});
	}

	return {
		async differences(within = db, tables = RECORDED_TABLES) {
			for (let tries = 1; ; tries += 1) {
				const state = await latest(within);
				const found = await compare(within, state, tables);
				// A write between the two readings is not a difference: compare again.
				const still = found.length === 0 || (await latest(within)).seq === state.seq;
				if (still || tries === TRIES) return named(within, state, found);
			}
		},

		async vouch(read, parts, within = db) {
			const fits = <T>(state: State, row: T, of: (row: T) => readonly RecordedPart[]): boolean =>
				of(row).every(({ table, key, facts }) => agree(state.rows.get(idOf(table, key)), facts));
			for (let tries = 1; ; tries += 1) {
				const row = await read();
				if (row === undefined) return null;
				// The cache may be older than another process's write; a transaction that acts on the row
				// always reads the log.
				const kept = within === db && fits(known, row, parts);
				const vouched = kept || fits(await latest(within), row, parts);
				if (vouched || tries === TRIES) return { row, vouched };
			}
		},

		async said(target, within) {
			const rows = new Map<string, Facts>();
			const events = ours(await withState(within).where('target', '=', target).execute());
			for (const { state } of events) apply(rows, state ?? '[]', true);
			return { rows, last: events.at(-1)?.action ?? null };
		},

		async baseline(within) {
			const { rows } = await latest(within);
			return [...rows].map(([id, is]) => {
				const [table, ...key] = JSON.parse(id) as [RecordedTable, ...string[]];
				return { table, key, is, merge: false };
			});
		}
	};
}

/**
 * Returns the state of all recorded rows in the database: for the first baseline, and for one that an admin
 * confirms.
 */
export async function statesOfTables(within: Executor<AccessTables>): Promise<RowState[]> {
	const states: RowState[] = [];
	for (const table of RECORDED_TABLES) {
		for (const { key, facts } of await readRows(within, table)) {
			states.push({ table, key, is: facts, merge: false });
		}
	}
	return states;
}
