import {
	PostgresDialect,
	PostgresDriver,
	type DatabaseConnection,
	type PostgresDialectConfig,
	type TransactionSettings
} from 'kysely';
import type { Pool } from 'pg';
import { storable } from './pool.ts';
import { CHANNEL, createTeller, isTold, type Teller } from './writeNotices.ts';

type Acquired = ReturnType<PostgresDriver['acquireConnection']>;

/** What was written on a connection since its transaction began. */
interface Written {
	inTransaction: boolean;
	told: boolean;
}

class TellingDriver extends PostgresDriver {
	readonly #teller: Teller;
	readonly #written = new WeakMap<DatabaseConnection, Written>();

	constructor(config: PostgresDialectConfig, teller: Teller) {
		super(config);
		this.#teller = teller;
	}

	override async acquireConnection(
		...asked: Parameters<PostgresDriver['acquireConnection']>
	): Acquired {
		const connection = await super.acquireConnection(...asked);
		if (!this.#written.has(connection)) this.#watch(connection);
		return connection;
	}

	/** The driver keeps its connections and knows them again, so each is watched in its place and once. */
	#watch(connection: DatabaseConnection): void {
		const written: Written = { inTransaction: false, told: false };
		this.#written.set(connection, written);
		const execute = connection.executeQuery.bind(connection);
		connection.executeQuery = async (query, ...further) => {
			const taken = { ...query, parameters: storable(query.parameters) };
			const result = await execute(taken, ...further);
			if ((result.numAffectedRows ?? 0n) > 0n && isTold(query.sql)) {
				if (written.inTransaction) written.told = true;
				else this.#teller.written();
			}
			return result as never;
		};
	}

	override async beginTransaction(
		connection: DatabaseConnection,
		settings: TransactionSettings
	): Promise<void> {
		await super.beginTransaction(connection, settings);
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
			// Also where the answer was lost: it may have been committed.
			if (told) this.#teller.written();
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
		await this.#teller.end();
		await super.destroy();
	}
}

/** PostgreSQL that tells all servers of the database after each commit that changed what pages show. */
export class TellingPostgresDialect extends PostgresDialect {
	readonly #config: PostgresDialectConfig;
	readonly #teller: Teller;

	constructor(pool: Pool) {
		const config = { pool };
		super(config);
		this.#config = config;
		this.#teller = createTeller(() => pool.query(`notify ${CHANNEL}`));
	}

	override createDriver(): PostgresDriver {
		return new TellingDriver(this.#config, this.#teller);
	}
}
