import { setTimeout as wait } from 'node:timers/promises';
import {
	CompiledQuery,
	SqliteDialect,
	SqliteDriver,
	type DatabaseConnection,
	type QueryResult,
	type SqliteDialectConfig
} from 'kysely';

/** How long a statement waits for another connection that writes, in milliseconds. */
const BUSY_TIMEOUT = 10_000;
/** How often it looks, in milliseconds. */
const BUSY_STEP = 5;

/**
 * Waits for the write lock without stopping the event loop. SQLite's own busy timeout sleeps in the one
 * thread, and when the lock is held by another connection of this very process, its holder could never
 * go on. A statement that was answered "busy" has done nothing, so it may be run again.
 */
class PatientConnection implements DatabaseConnection {
	readonly #inner: DatabaseConnection;

	constructor(inner: DatabaseConnection) {
		this.#inner = inner;
	}

	async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
		const deadline = performance.now() + BUSY_TIMEOUT;
		for (;;) {
			try {
				return await this.#inner.executeQuery<R>(query);
			} catch (error) {
				if (!isBusy(error) || performance.now() > deadline) throw error;
			}
			await wait(BUSY_STEP);
		}
	}

	streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
		return this.#inner.streamQuery<R>(query, chunkSize);
	}
}

function isBusy(error: unknown): boolean {
	return error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY';
}

class PatientSqliteDriver extends SqliteDriver {
	#connection: DatabaseConnection | undefined;

	override async acquireConnection(): Promise<DatabaseConnection> {
		this.#connection ??= new PatientConnection(await super.acquireConnection());
		return this.#connection;
	}

	/**
	 * Transactions take the write lock when they begin. A deferred one that reads first and writes later
	 * fails at once, without waiting, when another connection wrote in between.
	 */
	override async beginTransaction(connection: DatabaseConnection): Promise<void> {
		await connection.executeQuery(CompiledQuery.raw('begin immediate'));
	}
}

/** SQLite whose transactions are immediate and whose waits let other work go on. */
export class PatientSqliteDialect extends SqliteDialect {
	readonly #config: SqliteDialectConfig;

	constructor(config: SqliteDialectConfig) {
		super(config);
		this.#config = config;
	}

	override createDriver(): SqliteDriver {
		return new PatientSqliteDriver(this.#config);
	}
}
