/**
 * Leases of rows that work is done on. A worker holds the row's lease, and every write checks its fencing
 * token: a worker that slept past the end of its lease has its writes refused. A lease that a killed process
 * held expires. Servers that share PostgreSQL measure leases by its clock: one whose own clock is ahead would take
 * rows that others work on, and keep its own from them after its end.
 */
import { randomUUID } from 'node:crypto';
import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely';
import type { DatabaseDialect } from '../database/dialect.ts';
import { queryNow } from '../database/databaseClock.ts';

export interface Lease {
	id: string;
	/** Increases with every lease of the row. */
	fencingToken: bigint;
}

/** Gives a runner the rows that are due. */
export interface Leases {
	/** Leases a row, due or not. Null when another worker holds it. */
	take(id: string, leaseMs: number): Promise<Lease | null>;
	/** Leases the row that has been due the longest. Null when none is due and free. */
	takeDue(leaseMs: number): Promise<Lease | null>;
	/** Returns the milliseconds until a row is due and free; null when none will be. */
	untilDue(): Promise<number | null>;
	/** Extends a lease during long work. Returns false when it was lost. */
	renew(lease: Lease, leaseMs: number, db?: QueryExecutorProvider): Promise<boolean>;
	/** Releases a lease; a lease that was lost stays with its new holder. */
	release(lease: Lease): Promise<void>;
	/** Releases a lease, and keeps the row from being leased for `ms` milliseconds. */
	rest(lease: Lease, ms: number): Promise<void>;
}

interface RowLeasesParts {
	db: QueryExecutorProvider & { readonly dialect: DatabaseDialect };
	/** A table with the columns id, due_at, fencing_token, lease_owner and lease_until. */
	table: string;
	/** Unix milliseconds; by default due times are by the clock of this machine, leases by {@link queryNow}. */
	clock?: (() => number) | undefined;
}

export class RowLeases implements Leases {
	readonly #db: QueryExecutorProvider;
	readonly #table: ReturnType<typeof sql.table>;
	/** The clock of due times. */
	readonly #now: () => number;
	/** The clock of leases. */
	readonly #leaseNow: () => RawBuilder<bigint>;
	/** Worker id, for people who read the table; only the fencing token is checked. */
	readonly #owner = randomUUID();

	constructor({ db, table, clock }: RowLeasesParts) {
		this.#db = db;
		this.#table = sql.table(table);
		this.#now = clock ?? Date.now;
		this.#leaseNow = queryNow(db, clock);
	}

	/** Condition for a row that can be leased: it has a due time and no valid lease. */
	#free() {
		return sql`(lease_until is null or lease_until <= ${this.#leaseNow()}) and due_at is not null`;
	}

	/** The end of a lease that begins now, or of a rest. */
	#until(ms: number): RawBuilder<bigint> {
		return sql`${this.#leaseNow()} + ${BigInt(ms)}`;
	}

	async take(id: string, leaseMs: number): Promise<Lease | null> {
		const { rows } = await sql<Lease>`update ${this.#table}
			set lease_owner = ${this.#owner}, lease_until = ${this.#until(leaseMs)}, fencing_token = fencing_token + 1
			where id = ${id} and ${this.#free()} returning id, fencing_token as "fencingToken"`.execute(
			this.#db
		);
		return rows[0] ?? null;
	}

	async takeDue(leaseMs: number): Promise<Lease | null> {
		const { rows } = await sql<{ id: string }>`select id from ${this.#table}
			where due_at <= ${BigInt(this.#now())} and ${this.#free()} order by due_at limit 1`.execute(
			this.#db
		);
		const [next] = rows;
		return next ? this.take(next.id, leaseMs) : null;
	}

	async untilDue(): Promise<number | null> {
		const due = sql`due_at - ${BigInt(this.#now())}`;
		const leased = sql`lease_until - ${this.#leaseNow()}`;
		const { rows } = await sql<{ ms: bigint | null }>`select
			min(case when lease_until is not null and ${leased} > ${due} then ${leased} else ${due} end) as ms
			from ${this.#table} where due_at is not null`.execute(this.#db);
		const ms = rows[0]?.ms ?? null;
		return ms === null ? null : Number(ms);
	}

	/** @param db a transaction that may only commit while the lease is held */
	async renew({ id, fencingToken }: Lease, leaseMs: number, db = this.#db): Promise<boolean> {
		const { rows } = await sql`update ${this.#table}
			set lease_until = ${this.#until(leaseMs)}
			where id = ${id} and fencing_token = ${fencingToken} and lease_until is not null
			returning id`.execute(db);
		return rows.length > 0;
	}

	release(lease: Lease): Promise<void> {
		return this.#giveBack(lease, null);
	}

	rest(lease: Lease, ms: number): Promise<void> {
		return this.#giveBack(lease, this.#until(ms));
	}

	async #giveBack({ id, fencingToken }: Lease, until: RawBuilder<bigint> | null): Promise<void> {
		await sql`update ${this.#table} set lease_owner = null, lease_until = ${until}
			where id = ${id} and fencing_token = ${fencingToken}`.execute(this.#db);
	}
}
