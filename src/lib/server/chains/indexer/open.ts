import { join } from 'node:path';
import type SqliteDatabase from 'better-sqlite3';
import { Kysely, sql, type Dialect } from 'kysely';
import { markOfIndex } from '../../platform/database/databaseError.ts';
import type { DatabaseDialect } from '../../platform/database/dialect.ts';
import { laterSteps, migrate } from '../../platform/database/migrate.ts';
import { openSqlite, postgresDialect, type DatabaseOptions } from '../../platform/database/open.ts';
import { WaitingSqliteDialect } from '../../platform/database/sqlite.ts';
import type { Standby } from '../../platform/database/standby.ts';
import { startError } from '../../platform/database/startError.ts';
import { cacheStatements } from '../../platform/database/statements.ts';
import { OF_INDEX } from '../../platform/database/writeNotices.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { IndexTrx } from './bulk.ts';
import { indexMigrations } from './migrations.ts';
import type { IndexSchema } from './tables.ts';

/**
 * The open index. On SQLite it is a separate file, so that writing it never delays a write that money depends on,
 * and the backup of the other data stays small; on PostgreSQL its tables are in the same database.
 */
export class Index extends Kysely<IndexSchema> {
	readonly dialect: DatabaseDialect;
	readonly #sqlite: SqliteDatabase.Database | undefined;

	constructor(name: DatabaseDialect, dialect: Dialect, sqlite?: SqliteDatabase.Database) {
		super({
			dialect,
			log(event) {
				if (sqlite !== undefined && event.level === 'error') markOfIndex(event.error);
			}
		});
		this.dialect = name;
		this.#sqlite = sqlite;
	}

	/** Runs `work` in one database transaction, which is rolled back when it throws. */
	write<T>(work: (trx: IndexTrx) => Promise<T>): Promise<T> {
		return this.transaction().execute((trx) =>
			work({ trx, dialect: this.dialect, ...(this.#sqlite ? { sqlite: this.#sqlite } : {}) })
		);
	}

	/**
	 * Moves the write-ahead log into the database file and truncates it, as far as no reader needs it. Does nothing
	 * on PostgreSQL, whose server does this itself.
	 */
	async shrinkLog(): Promise<void> {
		if (this.dialect === 'sqlite') await sql`pragma wal_checkpoint(truncate)`.execute(this);
	}

	close(): Promise<void> {
		return this.destroy();
	}
}

/** Pages of 4 KiB in the write-ahead log before a checkpoint, which waits for the disk. */
const LOG_PAGES = 8_000;

function sqliteIndex(dataDir: string): Index {
	const database = openSqlite(dataDir, INDEX_FILE, 'normal');
	database.pragma(`wal_autocheckpoint = ${LOG_PAGES}`);
	return new Index(
		'sqlite',
		new WaitingSqliteDialect({ database: cacheStatements(database) }),
		database
	);
}

/** The SQLite file of the index in the data folder. */
const INDEX_FILE = 'index.sqlite';

/**
 * Opens the index and migrates its schema.
 * @throws {AppError} `database.unusable` when it cannot be read or written
 * @throws {MigrationError}
 */
export async function openIndex(options: DatabaseOptions): Promise<Index> {
	try {
		return await openMigrated(options);
	} catch (error) {
		throw startError(error, options, { file: INDEX_FILE, isIndex: true });
	}
}

/** @throws {AppError} `database.newer` when a later release has changed the schema of the index */
export async function refuseLaterIndex(index: Index, dataDir: string): Promise<void> {
	const [step] = await laterSteps(index, indexMigrations);
	if (step === undefined) return;
	const file = index.dialect === 'sqlite' ? join(dataDir, INDEX_FILE) : null;
	throw new AppError('database.newer', { step, index: file });
}

/** Returns a read-only index: from the standby when that is up to date, otherwise from the primary. */
export const indexOnStandby = (index: Index, standby: Standby): Index =>
	new Index('postgres', standby.dialect(index));

async function openMigrated({
	url,
	dataDir,
	application,
	onWait
}: DatabaseOptions): Promise<Index> {
	const index = url
		? new Index('postgres', postgresDialect(url, 8, undefined, { word: OF_INDEX, application }))
		: sqliteIndex(dataDir);
	try {
		await migrate(index, indexMigrations, onWait);
	} catch (error) {
		await index.close();
		throw error;
	}
	return index;
}
