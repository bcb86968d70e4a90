/** Reads the tables of a database from its catalog, and says which of them a backup contains. */
import { sql, type Kysely } from 'kysely';
import type { DatabaseDialect } from '../database/dialect.ts';

/** Table that exists while a restore has not finished. */
export const UNFINISHED = 'unfinished_restore';

/**
 * Tables that a backup leaves out: a copy must not let anyone in by a session or link that has ended since,
 * counters lose their meaning, the installation mark belongs to one data folder, and the index of the chains is
 * built again.
 */
const LEFT_OUT = [
	'sessions',
	'setup_links',
	'account_links',
	'sign_on_flows',
	'sign_on_logouts',
	'throttle',
	'factor_challenges',
	'schema_migrations',
	'installation',
	UNFINISHED
];
const OF_INDEX = /^ix_/;

export const isKept = (table: string): boolean =>
	!LEFT_OUT.includes(table) && !OF_INDEX.test(table);

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
