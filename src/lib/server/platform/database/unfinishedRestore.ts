/**
 * Marks a restore as unfinished. The restored rows exist before revoked rights and pending payments in them are
 * dealt with: a server started in between would accept tokens that were revoked since the backup, and pay again
 * what was paid after it.
 */
import { sql, type Kysely } from 'kysely';
import { tableNames } from './catalog.ts';
import type { Database } from './database.ts';
import type { DatabaseDialect } from './dialect.ts';

/** Table that exists while a restore has not finished. */
export const UNFINISHED = 'unfinished_restore';

/** Sets the mark. @param trx the transaction that inserts the rows */
export async function beginRestore(trx: Kysely<unknown>): Promise<void> {
	await sql`create table ${sql.table(UNFINISHED)} (id bigint primary key)`.execute(trx);
}

/** Removes the mark: everything that the backup must not bring back is closed. */
export async function endRestore<Tables>(db: Database<Tables>): Promise<void> {
	await sql`drop table ${sql.table(UNFINISHED)}`.execute(db);
}

/** Whether a restore was interrupted, so that the database is not complete. */
export async function isRestoreUnfinished(
	db: Kysely<unknown>,
	dialect: DatabaseDialect
): Promise<boolean> {
	return (await tableNames(db, dialect)).includes(UNFINISHED);
}
