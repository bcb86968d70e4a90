import { sql, type Kysely } from 'kysely';
import type { DatabaseDialect } from '../../platform/database/dialect.ts';
import type { Migration } from '../../platform/database/migrate.ts';

/** Text column that sorts by bytes in both databases, so that all texts with a prefix are one range. */
const byBytes = (dialect: DatabaseDialect) =>
	sql.raw(dialect === 'postgres' ? 'text collate "C"' : 'text');

async function book(db: Kysely<unknown>, dialect: DatabaseDialect): Promise<void> {
	await db.schema
		.createTable('book_entries')
		.addColumn('id', 'text', (c) => c.primaryKey())
		.addColumn('kind', 'text', (c) => c.notNull())
		.addColumn('value', 'text', (c) => c.notNull())
		.addColumn('chain', 'text')
		.addColumn('label', 'text', (c) => c.notNull())
		.addColumn('look', 'text', (c) => c.notNull().unique())
		.addColumn('label_key', byBytes(dialect), (c) => c.notNull())
		.addColumn('note', 'text', (c) => c.notNull())
		.addColumn('written_by', 'text', (c) => c.notNull())
		.addColumn('created_by', 'text', (c) => c.notNull())
		.addColumn('created_at', 'bigint', (c) => c.notNull())
		.addColumn('written_at', 'bigint', (c) => c.notNull())
		.execute();
	await db.schema
		.createIndex('book_entries_by_label')
		.on('book_entries')
		.columns(['label_key', 'id'])
		.execute();
	await db.schema
		.createTable('book_keys')
		.addColumn('key', 'text', (c) => c.primaryKey())
		.addColumn('entry', 'text', (c) =>
			c.notNull().references('book_entries.id').onDelete('cascade')
		)
		.addColumn('form', 'text', (c) => c.notNull())
		.execute();
	await db.schema.createIndex('book_keys_by_entry').on('book_keys').column('entry').execute();
	await db.schema
		.createTable('book_words')
		.addColumn('key', byBytes(dialect), (c) => c.notNull())
		.addColumn('word', 'text', (c) => c.notNull())
		.addColumn('entry', 'text', (c) =>
			c.notNull().references('book_entries.id').onDelete('cascade')
		)
		.addPrimaryKeyConstraint('book_words_key', ['key', 'word', 'entry'])
		.execute();
	await db.schema.createIndex('book_words_by_entry').on('book_words').column('entry').execute();
}

/** The schema of the address book. */
export const migrations: Readonly<Record<string, Migration>> = {
	'090_book': { up: book }
};
