import { setTimeout as wait } from 'node:timers/promises';
import {
	CompiledQuery,
	SqliteDialect,
	SqliteDriver,
	type DatabaseConnection,
	type QueryResult,
	type SqliteDialectConfig
} from 'kysely';
import type { SameFile } from './sameFile.ts';

/** How long statements wait for another connection that writes, in milliseconds. */
export const TIMEOUT_MS = 5_000;
/** How often it looks, in milliseconds. */
const BUSY_STEP = 5;

/**
 * Waits for the write lock without stopping the event loop. SQLite's own busy timeout sleeps in the one
 * thread, and when the lock is held by another connection of this very process, its holder could never
 * go on. A statement that was answered "busy" has done nothing, so it may be run again.
 *
 * The timeout is that of all statements together: they run one after the other, so a queue of which each
 * one waited for itself would stand still for as long as the lock is held, and longer. When it is used up,
 * each statement tries once, until one that writes gets through.
 */
class PatientConnection implements DatabaseConnection {
	readonly #inner: DatabaseConnection;
	readonly #timeout: number;
	readonly #sameFile: SameFile | undefined;
	/** When a statement first met the lock that nothing has got through yet, `performance.now()`. */
	#busySince: number | null = null;

	constructor(inner: DatabaseConnection, timeout: number, sameFile?: SameFile) {
		this.#inner = inner;
		this.#timeout = timeout;
		this.#sameFile = sameFile;
	}

	async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
		// What was begun is taken back also where the file is gone.
		if (!ROLLBACK.test(query.sql)) this.#sameFile?.(!READS.test(query.sql));
		for (;;) {
			try {
				const result = await this.#inner.executeQuery<R>(query);
				// Who reads gets past a lock that only keeps writers out.
				if (!READS.test(query.sql)) this.#busySince = null;
				return result;
			} catch (error) {
				if (!isBusy(error)) throw error;
				this.#busySince ??= performance.now();
				if (performance.now() - this.#busySince >= this.#timeout) throw error;
			}
			await wait(BUSY_STEP);
		}
	}

	streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
		return this.#inner.streamQuery<R>(query, chunkSize);
	}
}

const ROLLBACK = /^\s*rollback\b/i;
const READS = /^\s*(?:select|with|pragma|rollback)\b/i;

function isBusy(error: unknown): boolean {
	return error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY';
}

class PatientSqliteDriver extends SqliteDriver {
	readonly #timeout: number;
	readonly #sameFile: SameFile | undefined;
	#connection: DatabaseConnection | undefined;

	constructor(config: SqliteDialectConfig, timeout: number, sameFile?: SameFile) {
		super(config);
		this.#timeout = timeout;
		this.#sameFile = sameFile;
	}

	override async acquireConnection(): Promise<DatabaseConnection> {
		this.#connection ??= new PatientConnection(
			await super.acquireConnection(),
			this.#timeout,
			this.#sameFile
		);
		return this.#connection;
	}

	/**
	 * Transactions take the write lock when they begin. A deferred one that reads first and writes later
	 * fails at once, without waiting, when another connection wrote in between.
	 */
	override async beginTransaction(connection: DatabaseConnection): Promise<void> {
		await connection.executeQuery(CompiledQuery.raw('begin immediate'));
	}

	/** SQLite itself has taken back a transaction for which there was no room; then there is none to end. */
	override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
		try {
			await super.rollbackTransaction(connection);
		} catch (error) {
			if (!(error instanceof Error && /no transaction is active/.test(error.message))) throw error;
		}
	}
}

/** SQLite whose transactions are immediate and whose waits let other work go on. */
export class PatientSqliteDialect extends SqliteDialect {
	readonly #config: SqliteDialectConfig;
	readonly #timeout: number;
	readonly #sameFile: SameFile | undefined;

	/**
	 * @param timeout milliseconds that statements wait for the write lock of somebody else
	 * @param sameFile asked before each statement, where the file matters
	 */
	constructor(config: SqliteDialectConfig, timeout = TIMEOUT_MS, sameFile?: SameFile) {
		super(config);
		this.#config = config;
		this.#timeout = timeout;
		this.#sameFile = sameFile;
	}

	override createDriver(): SqliteDriver {
		return new PatientSqliteDriver(this.#config, this.#timeout, this.#sameFile);
	}
}
