/**
 * Whether the restore of a backup was carried out to its end. Its rows are there before what they bring back is closed:
 * whoever started over them in between would take tokens that were revoked, and pay once more what went out after the
 * backup.
 */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../database/database.ts';
import type { DatabaseDialect } from '../database/dialect.ts';
import { tableNames, UNFINISHED } from './tables.ts';

/** Says so from the moment that the rows are there. @param trx the transaction that puts them in */
export async function beginRestore(trx: Kysely<unknown>): Promise<void> {
	await sql`create table ${sql.table(UNFINISHED)} (id bigint primary key)`.execute(trx);
}

/** Everything that the backup brought back is closed. */
export async function endRestore<Tables>(db: Database<Tables>): Promise<void> {
	await sql`drop table ${sql.table(UNFINISHED)}`.execute(db);
}

export async function isRestoreUnfinished(
	db: Kysely<unknown>,
	dialect: DatabaseDialect
): Promise<boolean> {
	return (await tableNames(db, dialect)).includes(UNFINISHED);
}
