import {
	CompiledQuery,
	PostgresDialect,
	PostgresDriver,
	type AbortableOperationOptions,
	type DatabaseConnection,
	type PostgresDialectConfig,
	type QueryResult,
	type TransactionSettings
} from 'kysely';
import type { Pool } from 'pg';
import type { Places } from './background.ts';
import { isInBackground } from './background.ts';
import { storable, transactionSettings } from './pool.ts';
import { CHANNEL, createNotifier, isTold, type Notifier } from './writeNotices.ts';

type Acquired = ReturnType<PostgresDriver['acquireConnection']>;

/**
 * State of the current transaction of a connection: whether it has one, and whether it wrote anything to
 * announce.
 */
interface Written {
	inTransaction: boolean;
	told: boolean;
}

/**
 * After waiting for a lock, a transaction must see what the holder wrote. A database may default to another
 * level, under which the waiting transaction would use an outdated snapshot or fail.
 */
const ISOLATION = 'read committed';

/** serialization_failure, deadlock_detected. */
const MADE_ROOM: ReadonlySet<unknown> = new Set(['40001', '40P01']);
const MOST_TIMES = 10;

/** Retries a single statement that lost against a concurrent one: it was rolled back. */
async function again<T>(ask: () => Promise<T>): Promise<T> {
	for (let time = 1; ; time += 1) {
		try {
			return await ask();
		} catch (error) {
			const code = error instanceof Error && 'code' in error ? error.code : undefined;
			if (!MADE_ROOM.has(code) || time >= MOST_TIMES) throw error;
		}
	}
}

interface NotifyingParts {
	/** Limits the connections of background work; null: no limit. */
	places: Places | null;
	/** How long a statement waits for a lock, in milliseconds. */
	timeout: number;
	/** Payload of the notification of a write. */
	word: string;
}

class NotifyingDriver extends PostgresDriver {
	readonly #notifier: Notifier;
	readonly #places: Places | null;
	readonly #begin: string;
	readonly #inPlaces = new WeakSet<DatabaseConnection>();
	readonly #written = new WeakMap<DatabaseConnection, Written>();

	constructor(
		config: PostgresDialectConfig,
		notifier: Notifier,
		{ places, timeout }: Pick<NotifyingParts, 'places' | 'timeout'>
	) {
		super(config);
		this.#notifier = notifier;
		this.#places = places;
		this.#begin = transactionSettings(timeout);
	}

	override async acquireConnection(
		...asked: Parameters<PostgresDriver['acquireConnection']>
	): Acquired {
		const places = isInBackground() ? this.#places : null;
		await places?.take();
		try {
			const connection = await super.acquireConnection(...asked);
			if (!this.#written.has(connection)) this.#watch(connection);
			if (places !== null) this.#inPlaces.add(connection);
			return connection;
		} catch (error) {
			places?.free();
			throw error;
		}
	}

	override async releaseConnection(
		connection: Parameters<PostgresDriver['releaseConnection']>[0]
	): Promise<void> {
		if (this.#inPlaces.delete(connection)) this.#places?.free();
		await super.releaseConnection(connection);
	}

	/** The driver reuses its connection objects, so each is wrapped once, in place. */
	#watch(connection: DatabaseConnection): void {
		const written: Written = { inTransaction: false, told: false };
		this.#written.set(connection, written);
		const execute = connection.executeQuery.bind(connection);
		connection.executeQuery = async <R>(
			query: CompiledQuery,
			...further: [AbortableOperationOptions?]
		) => {
			const taken = { ...query, parameters: storable(query.parameters) };
			const ask = (): ReturnType<typeof execute> => execute(taken, ...further);
			const result = await (written.inTransaction ? ask() : again(ask));
			if ((result.numAffectedRows ?? 0n) > 0n && isTold(query.sql)) {
				if (written.inTransaction) written.told = true;
				else this.#notifier.written();
			}
			return result as QueryResult<R>;
		};
	}

	override async beginTransaction(
		connection: DatabaseConnection,
		settings: TransactionSettings
	): Promise<void> {
		// Without an access mode, the database's default applies, which may be read-only.
		const { isolationLevel = ISOLATION, accessMode = '' } = settings;
		await connection.executeQuery(
			CompiledQuery.raw(
				`start transaction isolation level ${isolationLevel} ${accessMode}; ${this.#begin}`
			)
		);
		const written = this.#written.get(connection);
		if (written) Object.assign(written, { inTransaction: true, told: false });
	}

	override async commitTransaction(connection: DatabaseConnection): Promise<void> {
		const written = this.#written.get(connection);
		const told = written?.told === true;
		if (written) written.inTransaction = false;
		try {
			await super.commitTransaction(connection);
		} finally {
			// Also when the commit failed: it may have been executed and only the response was lost.
			if (told) this.#notifier.written();
		}
	}

	override async rollbackTransaction(
		connection: Parameters<PostgresDriver['rollbackTransaction']>[0]
	): Promise<void> {
		const written = this.#written.get(connection);
		if (written) written.inTransaction = false;
		await super.rollbackTransaction(connection);
	}

	override async destroy(): Promise<void> {
		await this.#notifier.end();
		await super.destroy();
	}
}

/**
 * A PostgreSQL dialect that notifies all servers of the database after each commit that changed what pages
 * show.
 */
export class NotifyingPostgresDialect extends PostgresDialect {
	readonly #config: PostgresDialectConfig;
	readonly #notifier: Notifier;
	readonly #parts: NotifyingParts;

	constructor(pool: Pool, parts: NotifyingParts) {
		const config = { pool };
		const { word } = parts;
		super(config);
		this.#config = config;
		this.#parts = parts;
		this.#notifier = createNotifier(() => pool.query(`notify ${CHANNEL}, '${word}'`));
	}

	override createDriver(): PostgresDriver {
		return new NotifyingDriver(this.#config, this.#notifier, this.#parts);
	}
}
