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

/** How long statements wait for the write lock of another connection, in milliseconds. */
export const TIMEOUT_MS = 5_000;
/** Pause between two attempts, in milliseconds. */
const BUSY_STEP = 5;

/**
 * Waits for the write lock without blocking the event loop. SQLite's own busy timeout sleeps in the only
 * thread, so a lock held by another connection of this very process could never be released. A statement that
 * failed with "busy" did nothing, so it may be retried.
 *
 * The timeout covers all statements together: they run one after the other, and if each waited for the full
 * timeout, the queue would stand still for longer than the lock is held. Once the timeout is used up, each
 * statement tries once, until a write succeeds.
 */
class WaitingConnection implements DatabaseConnection {
	readonly #inner: DatabaseConnection;
	readonly #timeout: number;
	readonly #sameFile: SameFile | undefined;
	/** When a statement first found the database locked, with no write succeeding since; `performance.now()`. */
	#busySince: number | null = null;

	constructor(inner: DatabaseConnection, timeout: number, sameFile?: SameFile) {
		this.#inner = inner;
		this.#timeout = timeout;
		this.#sameFile = sameFile;
	}

	async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
		// A rollback is sent even when the file was replaced.
		if (!ROLLBACK.test(query.sql)) this.#sameFile?.(!READS.test(query.sql));
		for (;;) {
			try {
				const result = await this.#inner.executeQuery<R>(query);
				// A read may succeed under a lock that only excludes writers.
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

class WaitingSqliteDriver extends SqliteDriver {
	readonly #timeout: number;
	readonly #sameFile: SameFile | undefined;
	#connection: DatabaseConnection | undefined;

	constructor(config: SqliteDialectConfig, timeout: number, sameFile?: SameFile) {
		super(config);
		this.#timeout = timeout;
		this.#sameFile = sameFile;
	}

	override async acquireConnection(): Promise<DatabaseConnection> {
		this.#connection ??= new WaitingConnection(
			await super.acquireConnection(),
			this.#timeout,
			this.#sameFile
		);
		return this.#connection;
	}

	/**
	 * Begins transactions with the write lock. A deferred transaction that reads first and writes later fails
	 * at once, without waiting, when another connection wrote in between.
	 */
	override async beginTransaction(connection: DatabaseConnection): Promise<void> {
		await connection.executeQuery(CompiledQuery.raw('begin immediate'));
	}

	/** Tolerates that SQLite rolled back by itself, as it does when the disk is full. */
	override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
		try {
			await super.rollbackTransaction(connection);
		} catch (error) {
			if (!(error instanceof Error && /no transaction is active/.test(error.message))) throw error;
		}
	}
}

/** SQLite with immediate transactions, whose waits do not block the event loop. */
export class WaitingSqliteDialect extends SqliteDialect {
	readonly #config: SqliteDialectConfig;
	readonly #timeout: number;
	readonly #sameFile: SameFile | undefined;

	/**
	 * @param timeout milliseconds that statements wait for the write lock of another connection
	 * @param sameFile called before each statement, where a replaced file must be noticed
	 */
	constructor(config: SqliteDialectConfig, timeout = TIMEOUT_MS, sameFile?: SameFile) {
		super(config);
		this.#config = config;
		this.#timeout = timeout;
		this.#sameFile = sameFile;
	}

	override createDriver(): SqliteDriver {
		return new WaitingSqliteDriver(this.#config, this.#timeout, this.#sameFile);
	}
}
