import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { jsonOrNull } from '#lib/text/jsonOrNull.ts';
import { tableNames } from '../database/catalog.ts';
import type { Database } from '../database/database.ts';
import type { DatabaseDialect } from '../database/dialect.ts';
import type { Migration } from '../database/migrate.ts';
import { SERVER_NAME } from '../database/pool.ts';
import { beginRestore, UNFINISHED } from '../database/unfinishedRestore.ts';
import { CHANNEL } from '../database/writeNotices.ts';
import { AppError } from '../errors/appError.ts';
import { sameText } from '../secrets/sameText.ts';
import { FORMAT, Head, lineMac, RowLine, TableLine, Tail, valueOf } from './format.ts';

export interface Restored {
	madeAt: string;
	tables: number;
	rows: number;
	/** Number of the last event in its audit log: opening the restored data may append more. */
	lastSeq: bigint;
}

const CHUNK = 200;
/** Bound values that SQLite accepts in one statement. */
const MAX_VALUES = 30_000;

async function* linesOf(file: string): AsyncGenerator<string> {
	const input = createReadStream(file, 'utf8');
	yield* createInterface({ input, crlfDelay: Infinity });
}

function headOf(line: string): Head {
	const value = jsonOrNull(line);
	const head = Head.safeParse(value);
	if (!head.success) {
		throw new AppError('backup.not-a-backup');
	}
	if (head.data.format > FORMAT) {
		throw new AppError('backup.newer');
	}
	return head.data;
}

/** Verifies the whole file before any of its rows is used. */
async function check(file: string, keys: readonly Uint8Array[]): Promise<Head> {
	const macs = keys.map(lineMac);
	let head: Head | null = null;
	let held: string | null = null;
	let rows = 0;
	for await (const line of linesOf(file)) {
		head ??= headOf(line);
		if (held !== null) {
			for (const mac of macs) mac.update(`${held}\n`);
			if (held.startsWith('[')) rows += 1;
		}
		held = line;
	}
	if (head === null || held === null) throw new AppError('backup.empty');
	const tail = Tail.safeParse(jsonOrNull(held));
	if (!tail.success) throw new AppError('backup.damaged', { what: 'end' });
	if (!macs.some((mac) => sameText(tail.data.mac, mac.digest('hex')))) {
		throw new AppError('backup.mac-wrong');
	}
	if (tail.data.rows !== rows) throw new AppError('backup.damaged', { what: 'rows' });
	return head;
}

/** Returns the schema steps that the backup had. */
function stepsOf(
	{ schema }: Head,
	all: Readonly<Record<string, Migration>>
): Record<string, Migration> {
	const unknown = schema.filter((name) => !Object.hasOwn(all, name));
	if (unknown.length > 0) {
		throw new AppError('backup.newer-tables', { step: unknown[0]!.slice(0, 80) });
	}
	const names = Object.keys(all).sort();
	const first = names[0];
	if (first !== undefined && !schema.includes(first)) {
		throw new AppError('backup.without-accounts');
	}
	return Object.fromEntries(schema.map((name) => [name, all[name]!]));
}

async function makeTables(
	trx: Kysely<unknown>,
	dialect: DatabaseDialect,
	steps: Readonly<Record<string, Migration>>
): Promise<void> {
	await trx.schema
		.createTable('schema_migrations')
		.addColumn('name', 'text', (column) => column.primaryKey())
		.addColumn('applied_at', 'bigint', (column) => column.notNull())
		.execute();
	for (const name of Object.keys(steps).sort()) {
		await steps[name]!.up(trx, dialect);
		await sql`insert into schema_migrations (name, applied_at)
			values (${name}, ${BigInt(Date.now())})`.execute(trx);
	}
}

async function putRows(
	trx: Kysely<unknown>,
	{ table, columns }: TableLine,
	rows: readonly (readonly (string | null)[])[]
): Promise<void> {
	const many = Math.max(1, Math.min(CHUNK, Math.floor(MAX_VALUES / columns.length)));
	const names = sql.join(columns.map((column) => sql.ref(column)));
	for (let at = 0; at < rows.length; at += many) {
		const values = rows
			.slice(at, at + many)
			.map((row) => sql`(${sql.join(row.map((cell) => sql`${valueOf(cell)}`))})`);
		await sql`insert into ${sql.table(table)} (${names}) values ${sql.join(values)}`.execute(trx);
	}
}

/** Inserts the rows of the file into newly created tables. */
async function load(
	trx: Kysely<unknown>,
	dialect: DatabaseDialect,
	file: string
): Promise<Omit<Restored, 'lastSeq'>> {
	const known = new Set(await tableNames(trx, dialect));
	const restored = { madeAt: '', tables: 0, rows: 0 };
	let table: TableLine | null = null;
	let waiting: (string | null)[][] = [];
	const flush = async (): Promise<void> => {
		if (table !== null && waiting.length > 0) await putRows(trx, table, waiting);
		waiting = [];
	};
	for await (const line of linesOf(file)) {
		const value = jsonOrNull(line);
		const row = RowLine.safeParse(value);
		if (row.success) {
			if (table === null || row.data.length !== table.columns.length) {
				throw new AppError('backup.damaged', { what: 'row' });
			}
			waiting.push(row.data);
			restored.rows += 1;
			if (waiting.length >= CHUNK) await flush();
			continue;
		}
		await flush();
		const next = TableLine.safeParse(value);
		if (next.success) {
			table = next.data;
			if (!known.has(table.table)) {
				throw new AppError('backup.unknown-table', { table: table.table.slice(0, 80) });
			}
			// Some tables contain rows as soon as they are created.
			await sql`delete from ${sql.table(table.table)}`.execute(trx);
			restored.tables += 1;
			continue;
		}
		const head = Head.safeParse(value);
		if (head.success) restored.madeAt = head.data.madeAt;
	}
	await flush();
	return restored;
}

/** A running server queries its database at least this often, in milliseconds. */
const ASKS_WITHIN_MS = 5_000;

/** A connection to PostgreSQL. */
interface Connected {
	pid: bigint;
	address: string | null;
}

/**
 * Refuses to restore while a server runs on the database: it would act on the restored rows at once, before
 * the restore has closed the work that they bring back. With SQLite, a running server notices that its file
 * is gone. With PostgreSQL, a server is recognized by its LISTEN. Behind a pooler that shares connections, no
 * LISTEN is visible, and connections outlive their server: there, a query over a connection with a server's
 * name counts.
 * @throws {AppError} `backup.server-running`
 */
async function refuseRunning(db: Kysely<unknown>, dialect: DatabaseDialect): Promise<void> {
	if (dialect === 'sqlite') return;
	const connected = async (condition: RawBuilder<unknown>): Promise<Connected[]> => {
		const { rows } = await sql<Connected>`select pid, host(client_addr) as address
			from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
			and ${condition} order by pid`.execute(db);
		return rows;
	};
	const refuse = ([first]: readonly Connected[]): void => {
		if (first === undefined) return;
		const { pid, address } = first;
		throw new AppError('backup.server-running', { pid: String(pid), address });
	};
	refuse(await connected(sql`query like ${`listen ${CHANNEL};%`}`));
	const named = sql`application_name like ${`${SERVER_NAME}%`}`;
	if ((await connected(named)).length === 0) return;
	const { rows } = await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(db);
	await sleep(ASKS_WITHIN_MS);
	refuse(await connected(sql`${named} and query_start > ${rows[0]!.now}::timestamptz`));
}

/** The schema that a backup is restored into. */
interface RestoredSchema {
	/** The schema steps, by name. */
	steps: Readonly<Record<string, Migration>>;
	/** Drops the triggers that protect rows from being written, for the time of the restore. */
	removeGuards(trx: Kysely<unknown>, dialect: DatabaseDialect): Promise<void>;
	/** @param steps names of the steps that the backup had */
	addGuards(
		trx: Kysely<unknown>,
		dialect: DatabaseDialect,
		steps: ReadonlySet<string>
	): Promise<void>;
	/**
	 * Returns the number of the audit log's last event.
	 * @param steps names of the steps that the backup had
	 */
	lastSeq(trx: Kysely<unknown>, steps: ReadonlySet<string>): Promise<bigint>;
}

/**
 * Restores a backup into an empty database, in one transaction. The tables get the schema that they had when
 * the backup was made; the next process that opens the database brings them up to date. Until {@link
 * endRestore} only the restore itself can open it.
 *
 * @param db an open database without any table
 * @param keys the backup keys: the current one and previous ones
 * @throws {AppError} `backup`, `database.restore-unfinished`
 */
export async function restoreBackup<Tables>(
	db: Database<Tables>,
	{ steps: all, removeGuards, addGuards, lastSeq }: RestoredSchema,
	keys: readonly Uint8Array[],
	file: string
): Promise<Restored> {
	const steps = stepsOf(await check(file, keys), all);
	const bare = db as unknown as Kysely<unknown>;
	const names = await tableNames(bare, db.dialect);
	if (names.includes(UNFINISHED)) throw new AppError('database.restore-unfinished');
	if (names.length > 0) {
		throw new AppError('backup.database-not-empty');
	}
	await refuseRunning(bare, db.dialect);
	return bare.transaction().execute(async (trx) => {
		await makeTables(trx, db.dialect, steps);
		await beginRestore(trx);
		await removeGuards(trx, db.dialect);
		if (db.dialect === 'sqlite') await sql`pragma defer_foreign_keys = on`.execute(trx);
		const restored = await load(trx, db.dialect, file);
		const named = new Set(Object.keys(steps));
		await addGuards(trx, db.dialect, named);
		return { ...restored, lastSeq: await lastSeq(trx, named) };
	});
}
