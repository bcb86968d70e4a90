import { setTimeout as wait } from 'node:timers/promises';
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
 *
 * @param onWait called once for each step that must wait for a table that something else uses
 */
export async function migrate(
	db: Migrated,
	migrations: Readonly<Record<string, Migration>>,
	onWait?: (step: string) => void
): Promise<void> {
	await inStep('schema_migrations', db, onWait, async (trx) => {
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
		await inStep(name, db, onWait, async (trx) => {
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

/** How long a step waits for the lock of a table: everything that uses the table meanwhile waits behind it. */
const LOCK_TIMEOUT = '2s';
/** Pause before a step that got no lock is tried again, in which the others go on. Milliseconds. */
const AGAIN_MS = 3_000;
/** lock_not_available, deadlock_detected. */
const NO_LOCK: ReadonlySet<unknown> = new Set(['55P03', '40P01']);

/**
 * Runs a step again until it gets the locks of its tables, which a backup holds for as long as it takes. Servers that
 * wait for the step stay behind the advisory lock of this transaction, so that only one contends for the tables.
 */
async function untilLocked(
	trx: Kysely<SchemaStepTables>,
	step: (trx: Kysely<SchemaStepTables>) => Promise<void>,
	onWait: () => void
): Promise<void> {
	await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(trx);
	await sql`savepoint before_step`.execute(trx);
	for (let waits = 0; ; waits += 1) {
		try {
			return await step(trx);
		} catch (error) {
			if (!(error instanceof Error && 'code' in error && NO_LOCK.has(error.code))) throw error;
		}
		await sql`rollback to savepoint before_step`.execute(trx);
		if (waits === 0) onWait();
		await wait(AGAIN_MS);
	}
}

async function inStep(
	name: string,
	db: Migrated,
	onWait: ((step: string) => void) | undefined,
	step: (trx: Kysely<SchemaStepTables>) => Promise<void>
): Promise<void> {
	try {
		await db.transaction().execute(async (trx) => {
			if (db.dialect === 'sqlite') return await step(trx);
			// Another replica may be running a long step: wait for it without a limit.
			await sql`set local lock_timeout = 0`.execute(trx);
			// A statement timeout, as a database role may have it, is meant for page queries, not for schema
			// steps.
			await sql`set local statement_timeout = 0`.execute(trx);
			await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.schema})`.execute(trx);
			await untilLocked(trx, step, () => onWait?.(name));
		});
	} catch (cause) {
		throw new AppError('database.step-failed', { step: name }, { cause });
	}
}
