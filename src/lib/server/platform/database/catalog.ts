/** Reads the tables of a database from its catalog. */
import { sql, type Kysely } from 'kysely';
import type { DatabaseDialect } from './dialect.ts';

/** Returns the names of all tables in order of creation, so that a table refers only to those before it. */
export async function tableNames(db: Kysely<unknown>, dialect: DatabaseDialect): Promise<string[]> {
	const { rows } = await (
		dialect === 'sqlite'
			? sql<{ name: string }>`select name from sqlite_master
				where type = 'table' and name not like 'sqlite_%' order by rowid`
			: sql<{ name: string }>`select relname as name from pg_class
				where relkind = 'r' and relnamespace = current_schema()::regnamespace order by oid`
	).execute(db);
	return rows.map(({ name }) => name);
}

/** Returns the names of a table's columns, in order. */
export async function columnNames(
	db: Kysely<unknown>,
	dialect: DatabaseDialect,
	table: string
): Promise<string[]> {
	const { rows } = await (
		dialect === 'sqlite'
			? sql<{ name: string }>`select name from pragma_table_info(${table}) order by cid`
			: sql<{ name: string }>`select attname as name from pg_attribute
				where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped order by attnum`
	).execute(db);
	return rows.map(({ name }) => name);
}
