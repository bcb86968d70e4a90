/**
 * The rows that say who may do what. Each change of one of them is recorded in the event of the act that made
 * it, so that a row that was written by hand differs from the log.
 */
import { createHash } from 'node:crypto';
import { sql, type QueryExecutorProvider } from 'kysely';

interface RecordedColumns {
	/** What names a row. */
	key: readonly string[];
	/** Columns that give nobody a right and that are written without an event. */
	besides: readonly string[];
	/** Columns that are too long for an event, of which it holds a digest. */
	digests?: readonly string[];
	/** Which rows count, in SQL: those of which nothing can come any more leave the record. */
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

/** What events call tables that have had another name since. The hashes cover it, so it stays as it was written. */
const RECORDED_BEFORE: Readonly<Record<string, RecordedTable>> = {
	limits: 'spending_limits',
	switches: 'safety_controls'
};
/** The table that an event means. */
export const recordedTable = (name: string): RecordedTable =>
	RECORDED_BEFORE[name] ?? (name as RecordedTable);

export const RECORDED_TABLES = Object.keys(RECORDED) as RecordedTable[];

/** What a row says, by column; of secrets only a fingerprint. */
export type Facts = Readonly<Record<string, string | null>>;

/** One row after an act, or that there is none. `merge`: only these columns were written. */
export interface RowState {
	table: RecordedTable;
	key: readonly string[];
	is: Facts | null;
	merge: boolean;
}

/** Their names end like this, and what they hold must not stand in a log. */
const HIDDEN = /(_hash|_secret|secret)$/;

const digest = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

function textOf(column: string, value: unknown, long: boolean): string | null {
	if (value === null || value === undefined) return null;
	const text =
		value instanceof Uint8Array ? Buffer.from(value).toString('base64') : String(value as string);
	if (long) return digest(text);
	return HIDDEN.test(column) ? digest(text).slice(0, 32) : text;
}

/** What a row says, or as much of it as was read. */
export function factsOfRow(table: RecordedTable, row: Readonly<Record<string, unknown>>): Facts {
	const { key, besides, digests }: RecordedColumns = RECORDED[table];
	return Object.fromEntries(
		Object.entries(row)
			.filter(([column]) => !key.includes(column) && !besides.includes(column))
			.map(([column, value]) => [column, textOf(column, value, digests?.includes(column) === true)])
	);
}

/** The rows of a table as they are, those that count. */
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

/** The name of a row among those of all tables. */
export const idOf = (table: RecordedTable, key: readonly string[]): string =>
	JSON.stringify([table, ...key]);

/** Whether what was read is what is recorded. A column that is newer than the record says nothing yet. */
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
 * Notes that a transaction wrote a row, beside the statement that writes it: the next event of the transaction
 * records what the row says then. Without such an event the row counts as written by hand.
 *
 * @param columns those that were written; without them the whole row, or that it is gone
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

/** What the transaction wrote since its last event, as it stands now. */
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
