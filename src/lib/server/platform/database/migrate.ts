import { sql, type Kysely } from 'kysely';
import { AppError } from '../errors/appError.ts';
import { ADVISORY_LOCKS } from './advisoryLocks.ts';
import type { Int64 } from './columns.ts';
import type { DatabaseDialect } from './dialect.ts';

/** Schema steps that were applied to this database. */
export interface SchemaMigrationsTable {
	name: string;
	applied_at: Int64;
}

export interface SchemaStepTables {
	schema_migrations: SchemaMigrationsTable;
}

/** A database that records its own schema steps. */
type Migrated = Kysely<SchemaStepTables> & { readonly dialect: DatabaseDialect };

/**
 * One step of the schema. It runs once, inside a transaction, and cannot be reverted. Servers of the release before
 * continue after it: a step may add what that release does not know, with a default or nullable, and drops or renames
 * only what that release neither reads nor writes any more.
 */
export interface Migration {
	up(db: Kysely<unknown>, dialect: DatabaseDialect): Promise<void>;
}

/**
 * Applies the missing steps in the order of their names. Each step and the record of it are one transaction, so
 * a killed process leaves no half step; replicas that start together wait for each other (SQLite: immediate
 * transaction; PostgreSQL: advisory lock).
 */
export async function migrate(
	db: Migrated,
	migrations: Readonly<Record<string, Migration>>
): Promise<void> {
	await inStep('schema_migrations', db, async (trx) => {
		await trx.schema
			.createTable('schema_migrations')
			.ifNotExists()
			.addColumn('name', 'text', (column) => column.primaryKey())
			.addColumn('applied_at', 'bigint', (column) => column.notNull())
			.execute();
	});
	const seen = new Set(
		(await db.selectFrom('schema_migrations').select('name').execute()).map((row) => row.name)
	);
	for (const name of Object.keys(migrations).sort()) {
		const migration = migrations[name];
		if (seen.has(name) || !migration) continue;
		await inStep(name, db, async (trx) => {
			const applied = await trx
				.selectFrom('schema_migrations')
				.select('name')
				.where('name', '=', name)
				.executeTakeFirst();
			if (applied) return;
			await migration.up(trx as unknown as Kysely<unknown>, db.dialect);
			await trx
				.insertInto('schema_migrations')
				.values({ name, applied_at: BigInt(Date.now()) })
				.execute();
		});
	}
}

/**
 * Whether a recorded step belongs to the main schema. On PostgreSQL the index records its steps in the same
 * table, under names without a number.
 */
export const isMainStep = (name: string): boolean => /^\d/.test(name);

/**
 * Returns the applied steps of a later release, which may have tables and columns unknown to this one.
 *
 * @param migrations all steps of the main schema, or all of the index: only steps of that schema are returned
 */
export async function laterSteps(
	db: Kysely<SchemaStepTables>,
	migrations: Readonly<Record<string, Migration>>
): Promise<string[]> {
	const last = Object.keys(migrations).sort().at(-1) ?? '';
	const rows = await db.selectFrom('schema_migrations').select('name').execute();
	return rows
		.map(({ name }) => name)
		.filter((name) => name > last && isMainStep(name) === isMainStep(last))
		.sort();
}

async function inStep(
	name: string,
	db: Migrated,
	step: (trx: Kysely<SchemaStepTables>) => Promise<void>
): Promise<void> {
	try {
		await db.transaction().execute(async (trx) => {
			if (db.dialect === 'postgres') {
				// Another replica may be running a long step: wait for it without a limit.
				await sql`set local lock_timeout = 0`.execute(trx);
				// A statement timeout, as a database role may have it, is meant for page queries, not for
				// schema steps.
				await sql`set local statement_timeout = 0`.execute(trx);
				await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.schema})`.execute(trx);
			}
			await step(trx);
		});
	} catch (cause) {
		throw new AppError('database.step-failed', { step: name }, { cause });
	}
}
