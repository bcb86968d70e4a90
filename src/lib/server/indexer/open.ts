import { Kysely, type Dialect } from 'kysely';
import type { DatabaseDialect } from '../db/dialect.ts';
import { migrate } from '../db/migrate.ts';
import { postgresDialect, sqliteDialect, type DatabaseOptions } from '../db/open.ts';
import type { SchemaMigrationsTable } from '../db/schema.ts';
import { indexMigrations } from './migrations.ts';
import type { IndexTables } from './tables.ts';

/** The tables that a reader of the index sees. */
export interface IndexSchema extends IndexTables {
	schema_migrations: SchemaMigrationsTable;
}

/**
 * The open index. On SQLite it is a file of its own, so that its writer never holds up a write that money
 * depends on, and so that a backup of what people own stays small; on PostgreSQL its tables stand beside
 * the others.
 */
export class Index extends Kysely<IndexSchema> {
	readonly dialect: DatabaseDialect;

	constructor(name: DatabaseDialect, dialect: Dialect) {
		super({ dialect });
		this.dialect = name;
	}

	close(): Promise<void> {
		return this.destroy();
	}
}

/** The SQLite file of the index in the data folder. */
export const INDEX_FILE = 'index.sqlite';

/**
 * Opens the index and brings its tables up to date.
 * @throws {MigrationError}
 */
export async function openIndex({ url, dataDir }: DatabaseOptions): Promise<Index> {
	const index = url
		? new Index('postgres', postgresDialect(url, 8))
		: new Index('sqlite', sqliteDialect(dataDir, INDEX_FILE, 'normal'));
	try {
		await migrate(index, indexMigrations);
	} catch (error) {
		await index.close();
		throw error;
	}
	return index;
}
