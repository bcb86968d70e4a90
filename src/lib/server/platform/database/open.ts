import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { sql, type Dialect, type Kysely, type QueryExecutorProvider } from 'kysely';
import { giveToOwner } from '../disk/giveToOwner.ts';
import { makeFolder } from '../disk/makeFolder.ts';
import { AppError } from '../errors/appError.ts';
import { Places } from './background.ts';
import { Database } from './database.ts';
import {
	checkFolder,
	checkInstallation,
	markInstallation,
	type HasLog,
	type InstallationTables
} from './installation.ts';
import type { ChangeStamp } from './rowCache.ts';
import { migrate, type Migration, type SchemaStepTables } from './migrate.ts';
import { postgresPool } from './pool.ts';
import { sameFile, type SameFile } from './sameFile.ts';
import { TIMEOUT_MS, WaitingSqliteDialect } from './sqlite.ts';
import { startError } from './startError.ts';
import { cacheStatements } from './statements.ts';
import { NotifyingPostgresDialect } from './notifyingPostgres.ts';
import { isRestoreUnfinished } from './unfinishedRestore.ts';
import { databaseErrorKind } from './databaseError.ts';

/** Where the data is stored. */
export interface DatabaseOptions {
	/** A PostgreSQL URL; without it SQLite in the data folder. */
	url?: string | undefined;
	/** The data folder; created when missing. */
	dataDir: string;
	/** Milliseconds that statements wait for a lock; five seconds by default. */
	timeout?: number;
	/** Whether database and data folder are paired anew, whatever marks the two have. */
	begin?: boolean;
	/** Whether a missing or empty database is refused even where the data folder is new; false by default. */
	mustExist?: boolean;
	/** `application_name` of the connections to PostgreSQL. */
	application?: string;
	/** Called once for each schema step that must wait for a table that something else uses. */
	onWait?: (step: string) => void;
	/** Whether the database may be opened although a restore into it has not finished. */
	isRestoring?: boolean;
}

/** Size to which the write-ahead log is truncated after a checkpoint. */
const LOG_BYTES = 32 * 1024 * 1024;

/**
 * Opens an SQLite file in the data folder.
 *
 * @param synchronous `full`: every commit survives a power cut; `normal`: the last ones may be lost, but never
 * half of one, which is enough for data that can be rebuilt
 */
export function openSqlite(
	dataDir: string,
	file: string,
	synchronous: 'full' | 'normal'
): SqliteDatabase.Database {
	makeFolder(dataDir);
	const path = join(dataDir, file);
	const isNew = !existsSync(path);
	const database = new SqliteDatabase(path, { timeout: 10_000 });
	try {
		if (isNew) giveToOwner(path);
		database.pragma('journal_mode = WAL');
		database.pragma(`synchronous = ${synchronous}`);
		database.pragma('foreign_keys = ON');
		// After a burst the log would otherwise keep its largest size forever.
		database.pragma(`journal_size_limit = ${LOG_BYTES}`);
	} catch (error) {
		database.close();
		throw error;
	}
	// From here on WaitingSqliteDialect waits for locks: the native wait blocks the event loop.
	database.pragma('busy_timeout = 0');
	database.defaultSafeIntegers(true);
	return database;
}

/** How long a check for commits of other processes stays valid, in milliseconds: dozens of calls under load. */
const OTHERS_GOOD_FOR_MS = 3;

/**
 * Creates the change stamp of an SQLite database. Writes of this process count at once, writes of other
 * processes 3 ms later, which is less than a command takes to exit (20 ms and more): asking SQLite each time
 * took a tenth of the processor time of an RPC call.
 * @param own returns another number whenever this connection has changed rows
 */
function sqliteStamp(
	database: SqliteDatabase.Database,
	same: SameFile,
	own: () => number
): ChangeStamp {
	// Returned as a number: neither `bigint` nor its text.
	const others = database.prepare('PRAGMA data_version').pluck().safeIntegers(false);
	let lastOthers: unknown;
	let lastOwn = -1;
	let goodUntil = 0;
	let changes = 0;
	return () => {
		const now = performance.now();
		try {
			if (now >= goodUntil) {
				same(false);
				const nowOthers = others.get();
				if (nowOthers !== lastOthers) changes += 1;
				lastOthers = nowOthers;
				goodUntil = now + OTHERS_GOOD_FOR_MS;
			}
			const nowOwn = own();
			if (nowOwn !== lastOwn) changes += 1;
			lastOwn = nowOwn;
			return changes;
		} catch (error) {
			// Locked, or the file was replaced: the stamp is unknown, and the query that follows waits for the
			// lock or reports the reason.
			if (databaseErrorKind(error) === null) throw error;
			return null;
		}
	};
}

interface PostgresOptions extends Pick<DatabaseOptions, 'application'> {
	/** Most connections that background work may use; unlimited when omitted. */
	inBackground?: number;
	/** Payload of the notification of a write. */
	word?: string;
}

/**
 * Creates a PostgreSQL dialect with a pool of at most `connections`.
 *
 * @param timeout milliseconds that a statement waits for a lock, and a query for a connection
 */
export function postgresDialect(
	url: string,
	connections: number,
	timeout = TIMEOUT_MS,
	{ inBackground, word = '', application }: PostgresOptions
): Dialect {
	const places = inBackground === undefined ? null : new Places(inBackground, timeout);
	const named = application === undefined ? {} : { application_name: application };
	const pool = postgresPool(url, connections, timeout, named);
	return new NotifyingPostgresDialect(pool, { places, timeout, word });
}

function sqliteDatabase<Tables>(
	database: SqliteDatabase.Database,
	timeout?: number
): Database<Tables> {
	const same = sameFile(database.name);
	const statements = cacheStatements(database);
	const dialect = new WaitingSqliteDialect({ database: statements }, timeout, same);
	return new Database('sqlite', dialect, sqliteStamp(database, same, statements.changes));
}

/** Of ten connections: four stay reserved for pages and calls, however slow the database is. */
const IN_BACKGROUND = 6;

/** The SQLite file with all data but the index. */
const FILE = 'komodeck.sqlite';

/** Opens the database as it is: its tables may be older than the code, or not there. */
export function openAsIs<Tables>(options: DatabaseOptions): Database<Tables> {
	const { url, dataDir, timeout, ...named } = options;
	const further = { ...named, inBackground: IN_BACKGROUND };
	return url
		? new Database('postgres', postgresDialect(url, 10, timeout, further), () => null)
		: sqliteDatabase(openSqlite(dataDir, FILE, 'full'), timeout);
}

/** Reads the whole file once, so that a corrupt page is found at start and not in the middle of a send. */
async function checkPages(database: QueryExecutorProvider): Promise<void> {
	const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(database);
	const [first] = rows;
	if (first !== undefined && first.quick_check !== 'ok') {
		throw Object.assign(new Error(first.quick_check), { code: 'SQLITE_CORRUPT' });
	}
}

/** Whether a non-empty file exists: opening would create an empty one. */
const isThere = (dataDir: string): boolean =>
	(statSync(join(dataDir, FILE), { throwIfNoEntry: false })?.size ?? 0) > 0;

/** Tables that every database has. */
type OwnTables = InstallationTables & SchemaStepTables;

/** @throws {AppError} `database.restore-unfinished` */
async function refuseUnfinished(db: Database<OwnTables>): Promise<void> {
	if (await isRestoreUnfinished(db as unknown as Kysely<unknown>, db.dialect)) {
		throw new AppError('database.restore-unfinished');
	}
}

async function openChecked<Tables extends OwnTables>(
	options: DatabaseOptions,
	steps: Readonly<Record<string, Migration>>,
	hasLog: HasLog
): Promise<Database<Tables>> {
	const { url, dataDir, begin = false, isRestoring = false, mustExist = false } = options;
	if (!url && !begin && !isThere(dataDir)) checkFolder(dataDir, hasLog, !mustExist);
	const database = openAsIs<Tables>(options);
	const own = database as unknown as Database<OwnTables>;
	try {
		if (!url) await checkPages(database);
		if (!isRestoring) await refuseUnfinished(own);
		if (!begin) await checkInstallation(own, dataDir, hasLog, !mustExist);
		await migrate(own, steps, options.onWait);
		// A restore may have inserted its rows while this process waited to create the tables.
		if (!isRestoring) await refuseUnfinished(own);
		await markInstallation(own, dataDir);
	} catch (error) {
		await database.close();
		throw error;
	}
	return database;
}

/**
 * Opens the database of a data folder and applies missing schema steps.
 *
 * @param steps the schema steps, by name
 * @param hasLog whether a data folder has a record of audit events, and so belongs to an installation
 * @throws {AppError} `database.missing`, `database.of-another-installation` when it is not the database of this
 * folder; nothing was written
 * @throws {AppError} `database.none` when there is none and one must exist; nothing was written
 * @throws {AppError} `database.restore-unfinished` when a restore into it did not finish; nothing was written
 * @throws {AppError} `database.unusable` when it cannot be read or written
 * @throws {AppError} `database.step-failed` when a schema step failed; that step was rolled back
 */
export async function openDatabase<Tables extends OwnTables>(
	options: DatabaseOptions,
	steps: Readonly<Record<string, Migration>>,
	hasLog: HasLog
): Promise<Database<Tables>> {
	try {
		return await openChecked<Tables>(options, steps, hasLog);
	} catch (error) {
		throw startError(error, options, { file: FILE, isIndex: false });
	}
}
