import { Kysely, type Dialect, type Transaction } from 'kysely';
import type { DatabaseDialect } from './dialect.ts';
import type { ChangeStamp } from './rowCache.ts';
import { databaseErrorKind } from './databaseError.ts';

/**
 * The open database. Inside `transaction().execute(trx => …)` use only its `trx`: SQLite has a single
 * connection, so a query through the database itself would deadlock with the surrounding transaction.
 */
export class Database<Tables> extends Kysely<Tables> {
	readonly dialect: DatabaseDialect;
	readonly changeStamp: ChangeStamp;
	/** The first error that reported corrupt data. It is kept, because corruption does not repair itself. */
	readonly seenDamage: () => Error | null;

	constructor(name: DatabaseDialect, dialect: Dialect, changeStamp: ChangeStamp) {
		let damage: Error | null = null;
		super({
			dialect,
			log(event) {
				if (event.level !== 'error' || damage !== null) return;
				if (databaseErrorKind(event.error) === 'damaged') damage = event.error as Error;
			}
		});
		this.dialect = name;
		this.changeStamp = changeStamp;
		this.seenDamage = () => damage;
	}

	close(): Promise<void> {
		return this.destroy();
	}
}

/** The database, or a transaction of it. */
export type Executor<Tables> = Kysely<Tables> | Transaction<Tables>;
