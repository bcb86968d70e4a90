/**
 * The rows that decide who may do what. The audit event of each action records the new state of every such row
 * that the action changed, so that a row edited by hand differs from the log.
 */
import { sql, type QueryExecutorProvider } from 'kysely';
import { isFingerprint } from '#lib/messages/auditLog.ts';
import { sha256Hex } from '../secrets/digest.ts';

interface RecordedColumns {
	/** Columns that identify a row. */
	key: readonly string[];
	/** Columns that grant no right and are written without an event. */
	besides: readonly string[];
	/** Columns too long for an event, which holds a digest of them instead. */
	digests?: readonly string[];
	/** SQL condition for the rows that are recorded; rows that can have no further effect drop out. */
	only?: string;
}

const OPEN = "state = 'open'";

export const RECORDED = {
	accounts: { key: ['id'], besides: ['created_at'] },
	api_tokens: {
		key: ['id'],
		besides: ['created_at', 'last_used_at', 'last_used_address', 'last_used_agent']
	},
	account_links: { key: ['id'], besides: ['created_at'] },
	identities: { key: ['issuer', 'subject'], besides: ['label', 'linked_at', 'last_used_at'] },
	unlinked_identities: { key: ['issuer', 'subject'], besides: [] },
	wallet_grants: { key: ['account_id', 'daemon'], besides: [] },
	spending_limits: { key: ['account', 'chain', 'kind'], besides: [] },
	fee_caps: { key: ['chain'], besides: [] },
	safety_controls: { key: ['name'], besides: [] },
	policy_rules: { key: ['id'], besides: [] },
	change_proposals: { key: ['id'], besides: [] },
	change_votes: { key: ['proposal', 'account'], besides: [] },
	approval_requests: {
		key: ['id'],
		besides: ['created_at'],
		digests: ['hex', 'payouts', 'facts'],
		only: OPEN
	},
	approval_votes: {
		key: ['request', 'account'],
		besides: [],
		only: `request in (select id from approval_requests where ${OPEN})`
	},
	listed_servers: { key: ['coin', 'url', 'protocol'], besides: [] },
	security_settings: { key: ['name'], besides: [] },
	second_factors: {
		key: ['id'],
		besides: ['created_at', 'last_used_at', 'last_step', 'sign_count']
	},
	recovery_codes: { key: ['account_id', 'code_hash'], besides: ['created_at'] }
} as const satisfies Readonly<Record<string, RecordedColumns>>;

export type RecordedTable = keyof typeof RECORDED;

/** Former names of tables, as old events have them. The hashes cover the names, so they cannot be updated. */
const RECORDED_BEFORE: Readonly<Record<string, RecordedTable>> = {
	limits: 'spending_limits',
	switches: 'safety_controls'
};
/** Returns the current table for the name that an event uses. */
export const recordedTable = (name: string): RecordedTable =>
	RECORDED_BEFORE[name] ?? (name as RecordedTable);

export const RECORDED_TABLES = Object.keys(RECORDED) as RecordedTable[];

/** A row by column; of secrets only a fingerprint. */
export type Facts = Readonly<Record<string, string | null>>;

/**
 * State of one row after an action; `is` is null for a deleted row. `merge`: only the given columns were
 * written.
 */
export interface RowState {
	table: RecordedTable;
	key: readonly string[];
	is: Facts | null;
	merge: boolean;
}

function textOf(column: string, value: unknown, long: boolean): string | null {
	if (value === null || value === undefined) return null;
	const text =
		value instanceof Uint8Array ? Buffer.from(value).toString('base64') : String(value as string);
	if (long) return sha256Hex(text);
	return isFingerprint(column) ? sha256Hex(text).slice(0, 32) : text;
}

/** Returns the recorded columns of a row, as far as they were read. */
export function factsOfRow(table: RecordedTable, row: Readonly<Record<string, unknown>>): Facts {
	const { key, besides, digests }: RecordedColumns = RECORDED[table];
	return Object.fromEntries(
		Object.entries(row)
			.filter(([column]) => !key.includes(column) && !besides.includes(column))
			.map(([column, value]) => [column, textOf(column, value, digests?.includes(column) === true)])
	);
}

/** Reads the rows of a table that are recorded at present. */
export async function readRows(
	within: QueryExecutorProvider,
	table: RecordedTable,
	only?: readonly string[]
): Promise<{ key: readonly string[]; facts: Facts }[]> {
	const { key: columns, only: counting }: RecordedColumns = RECORDED[table];
	const conditions = [
		...(counting === undefined ? [] : [sql.raw(counting)]),
		...(only === undefined
			? []
			: columns.map((column, at) => sql`${sql.ref(column)} = ${only[at]}`))
	];
	const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
	const { rows } = await sql<
		Record<string, unknown>
	>`select * from ${sql.table(table)} ${where}`.execute(within);
	return rows.map((row) => ({
		key: columns.map((column) => String(row[column])),
		facts: factsOfRow(table, row)
	}));
}

/** Returns an id for a row that is unique across all recorded tables. */
export const idOf = (table: RecordedTable, key: readonly string[]): string =>
	JSON.stringify([table, ...key]);

/** Whether a row as read equals its recorded state. A column that the record does not have yet is not compared. */
export const agree = (recorded: Facts | undefined, read: Facts): boolean =>
	recorded !== undefined &&
	Object.entries(read).every(
		([column, value]) => recorded[column] === undefined || recorded[column] === value
	);

interface Touched {
	table: RecordedTable;
	key: readonly string[];
	columns: readonly string[] | null;
}

const touchedBy = new WeakMap<object, Touched[]>();

/**
 * Notes that a transaction wrote a row; called next to the statement that writes it. The next event of the
 * transaction records the state that the row has then. Without such an event the row counts as edited by hand.
 *
 * @param columns the columns that were written; null for the whole row, or for its deletion
 */
export function touch(
	trx: QueryExecutorProvider,
	table: RecordedTable,
	key: readonly string[],
	columns: readonly string[] | null = null
): void {
	const before = touchedBy.get(trx);
	if (before) before.push({ table, key, columns });
	else touchedBy.set(trx, [{ table, key, columns }]);
}

/** Returns the current state of the rows that the transaction wrote since its last event, and forgets them. */
export async function takeTouched(trx: QueryExecutorProvider): Promise<RowState[]> {
	const touched = touchedBy.get(trx) ?? [];
	touchedBy.delete(trx);
	const states: RowState[] = [];
	for (const { table, key, columns } of touched) {
		const [row] = await readRows(trx, table, key);
		const is =
			row && columns
				? Object.fromEntries(columns.map((column) => [column, row.facts[column] ?? null]))
				: (row?.facts ?? null);
		states.push({ table, key, is, merge: columns !== null });
	}
	return states;
}
