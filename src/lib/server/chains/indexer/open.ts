import type SqliteDatabase from 'better-sqlite3';
import { Kysely, sql, type Dialect } from 'kysely';
import type { DatabaseDialect } from '../../platform/database/dialect.ts';
import { migrate } from '../../platform/database/migrate.ts';
import { openSqlite, postgresDialect, type DatabaseOptions } from '../../platform/database/open.ts';
import { PatientSqliteDialect } from '../../platform/database/sqlite.ts';
import type { Standby } from '../../platform/database/standby.ts';
import { startError } from '../../platform/database/startError.ts';
import { keepStatements } from '../../platform/database/statements.ts';
import { OF_INDEX } from '../../platform/database/writeNotices.ts';
import type { IndexTrx } from './bulk.ts';
import { indexMigrations } from './migrations.ts';
import type { IndexSchema } from './tables.ts';

/**
 * The open index. On SQLite it is a file of its own, so that its writer never holds up a write that money
 * depends on, and so that a backup of what people own stays small; on PostgreSQL its tables stand beside
 * the others.
 */
export class Index extends Kysely<IndexSchema> {
	readonly dialect: DatabaseDialect;
	readonly #sqlite: SqliteDatabase.Database | undefined;

	constructor(name: DatabaseDialect, dialect: Dialect, sqlite?: SqliteDatabase.Database) {
		super({ dialect });
		this.dialect = name;
		this.#sqlite = sqlite;
	}

	/** Writes in one transaction: all of it, or nothing when `work` throws. */
	write<T>(work: (trx: IndexTrx) => Promise<T>): Promise<T> {
		return this.transaction().execute((trx) =>
			work({ trx, dialect: this.dialect, ...(this.#sqlite ? { sqlite: this.#sqlite } : {}) })
		);
	}

	/**
	 * Moves what the log holds into the file and cuts the log, as far as no reader needs it. On PostgreSQL the
	 * server looks after its own.
	 */
	async shrinkLog(): Promise<void> {
		if (this.dialect === 'sqlite') await sql`pragma wal_checkpoint(truncate)`.execute(this);
	}

	close(): Promise<void> {
		return this.destroy();
	}
}

/** Pages of 4 KiB that the log takes before they are moved into the file, which waits for the disk. */
const LOG_PAGES = 8_000;

function sqliteIndex(dataDir: string): Index {
	const database = openSqlite(dataDir, INDEX_FILE, 'normal');
	database.pragma(`wal_autocheckpoint = ${LOG_PAGES}`);
	return new Index(
		'sqlite',
		new PatientSqliteDialect({ database: keepStatements(database) }),
		database
	);
}

/** The SQLite file of the index in the data folder. */
const INDEX_FILE = 'index.sqlite';

/**
 * Opens the index and brings its tables up to date.
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

/** The index as pages read it: from the standby where that has everything, else as it is. It takes no write. */
export const indexOnStandby = (index: Index, standby: Standby): Index =>
	new Index('postgres', standby.dialect(index));

async function openMigrated({ url, dataDir, application }: DatabaseOptions): Promise<Index> {
	const index = url
		? new Index('postgres', postgresDialect(url, 8, undefined, { word: OF_INDEX, application }))
		: sqliteIndex(dataDir);
	try {
		await migrate(index, indexMigrations);
	} catch (error) {
		await index.close();
		throw error;
	}
	return index;
}
