import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { sql, type Kysely } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, vi } from 'vitest';
import { openDatabase, type Db } from '#lib/server/database.ts';
import type { Schema } from '#lib/server/schema.ts';

/** The database of one suite; at its start it has all tables and no rows. */
export interface TestDatabase {
	readonly dialect: 'SQLite' | 'PostgreSQL';
	/** The open database; available once the suite's tests run. */
	readonly db: Db;
	/** A data folder of the suite's own. */
	readonly dataDir: string;
	/** What `openDatabase` was given. */
	readonly options: { url?: string; dataDir: string };
	/** Another connection to the same data, like a restarted or second server. It is closed with the suite. */
	openAnother(): Promise<Db>;
}

interface Store {
	url?: string;
	drop(): Promise<void>;
}

/**
 * A PostgreSQL database without any table.
 * @param template copied instead, if given
 */
export async function createPostgresDatabase(template?: string): Promise<Store> {
	const server = inject('postgresUrl');
	const name = `suite_${randomBytes(8).toString('hex')}`;
	const run = async (statement: string): Promise<void> => {
		const client = new pg.Client({ connectionString: server });
		await client.connect();
		try {
			await client.query(statement);
		} finally {
			await client.end();
		}
	};
	// Copied by files, so that the WAL need not contain the data.
	const copy = template === undefined ? '' : ` template ${template} strategy file_copy`;
	await run(`create database ${name}${copy}`);
	const url = new URL(server);
	url.pathname = `/${name}`;
	return { url: url.href, drop: () => run(`drop database ${name} with (force)`) };
}

function suiteOn(dialect: TestDatabase['dialect'], suite: (database: TestDatabase) => void): void {
	describe(`on ${dialect}`, () => {
		const dataDir = mkdtempSync(join(tmpdir(), 'komodeck-test-'));
		const open: Db[] = [];
		let store: Store | undefined;

		const database = {
			dialect,
			get db(): Db {
				const [first] = open;
				if (!first)
					throw new Error('The database is open while tests run, not while they are collected.');
				return first;
			},
			dataDir,
			get options(): { url?: string; dataDir: string } {
				return store?.url === undefined ? { dataDir } : { url: store.url, dataDir };
			},
			async openAnother(): Promise<Db> {
				const another = await openDatabase(database.options);
				open.push(another);
				return another;
			}
		};

		beforeAll(async () => {
			const empty = inject('empty');
			if (dialect === 'PostgreSQL') store = await createPostgresDatabase(empty.postgres);
			else copyFileSync(empty.sqlite, join(dataDir, basename(empty.sqlite)));
			await database.openAnother();
		});
		afterAll(async () => {
			for (const db of open) await db.close();
			await store?.drop();
			rmSync(dataDir, { recursive: true, force: true });
		});
		suite(database);
	});
}

/**
 * Makes a PostgreSQL database read-only, or writable again, for all connections but those of `db`. Existing
 * connections are ended, as in a failover, unless they are to be kept.
 */
export async function setReadOnly(
	db: Db,
	isReadOnly: boolean,
	{ keepConnections = false } = {}
): Promise<void> {
	const { name } = (await sql<{ name: string }>`select current_database() as name`.execute(db))
		.rows[0]!;
	const change = isReadOnly
		? sql`set default_transaction_read_only = on`
		: sql`reset default_transaction_read_only`;
	await sql`set session characteristics as transaction read write`.execute(db);
	await sql`alter database ${sql.id(name)} ${change}`.execute(db);
	if (keepConnections) return;
	await sql`select pg_terminate_backend(pid) from pg_stat_activity
		where datname = current_database() and pid <> pg_backend_pid()`.execute(db);
}

/** Resolves once this many connections to the database wait for a lock; immediately on SQLite. */
export async function isWaiting(
	{ dialect }: Pick<TestDatabase, 'dialect'>,
	trx: Kysely<Schema>,
	connections = 1
): Promise<void> {
	if (dialect === 'SQLite') return;
	await vi.waitFor(
		async () => {
			// Within a transaction, PostgreSQL caches pg_stat_activity: later connections would stay invisible.
			await sql`select pg_stat_clear_snapshot()`.execute(trx);
			const { rows } = await sql`select 1 from pg_stat_activity
				where datname = current_database() and wait_event_type = 'Lock'`.execute(trx);
			expect(rows.length).toBeGreaterThanOrEqual(connections);
		},
		{ timeout: 20_000, interval: 10 }
	);
}

/**
 * Runs work while the audit log accepts no event: a write that belongs to its event fails there, as if the
 * process ended between the two.
 */
export async function withoutLog<T>(db: Db, work: () => Promise<T>): Promise<T> {
	await sql`alter table audit_events rename to audit_events_away`.execute(db);
	try {
		return await work();
	} finally {
		await sql`alter table audit_events_away rename to audit_events`.execute(db);
	}
}

/** Runs a suite twice: on SQLite and on a real PostgreSQL, each time on a fresh database. */
export function describeOnBothDatabases(
	name: string,
	suite: (database: TestDatabase) => void
): void {
	describe(name, () => {
		suiteOn('SQLite', suite);
		suiteOn('PostgreSQL', suite);
	});
}

/** Runs a suite on PostgreSQL only, for behavior of a database in a separate server. */
export function describeOnPostgres(name: string, suite: (database: TestDatabase) => void): void {
	describe(name, () => suiteOn('PostgreSQL', suite));
}

/** Runs a suite on SQLite only, where the kind of database cannot matter. */
export function describeOnSqlite(name: string, suite: (database: TestDatabase) => void): void {
	describe(name, () => suiteOn('SQLite', suite));
}
