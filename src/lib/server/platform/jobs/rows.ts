/**
 * Leases of rows that work is done on. Whoever works on a row holds its lease, and every write carries the
 * lease's fencing token: a worker that slept through the end of its lease finds that its writes are refused. What a
 * killed process held is free when its lease ends.
 */
import { randomUUID } from 'node:crypto';
import { sql, type QueryExecutorProvider } from 'kysely';

export interface Lease {
	id: string;
	/** Grows with every lease of the row. */
	fencingToken: bigint;
}

/** Where a runner finds what is due. */
export interface Leases {
	/** Takes one that is free, due or not. Null when somebody else holds it. */
	take(id: string, leaseMs: number): Promise<Lease | null>;
	/** Takes what has been due the longest. Null when nothing is due and free. */
	takeDue(leaseMs: number): Promise<Lease | null>;
	/** Milliseconds until something is due and free; null when nothing will be. */
	untilDue(): Promise<number | null>;
	/** Keeps a lease while work takes its time. False when it was lost. */
	renew(lease: Lease, leaseMs: number, db?: QueryExecutorProvider): Promise<boolean>;
	/** Gives a lease back; one that was lost already stays with whoever has it. */
	release(lease: Lease): Promise<void>;
	/** Gives a lease back, and lets nobody take the row for so many milliseconds. */
	rest(lease: Lease, ms: number): Promise<void>;
}

interface RowLeasesParts {
	db: QueryExecutorProvider;
	/** A table with the columns id, due_at, fencing_token, lease_owner and lease_until. */
	table: string;
	/** Unix milliseconds. */
	clock: () => number;
}

export class RowLeases implements Leases {
	readonly #db: QueryExecutorProvider;
	readonly #table: ReturnType<typeof sql.table>;
	readonly #now: () => number;
	/** Who holds a row, for those who read the table; the fencing token is what counts. */
	readonly #owner = randomUUID();

	constructor({ db, table, clock }: RowLeasesParts) {
		this.#db = db;
		this.#table = sql.table(table);
		this.#now = clock;
	}

	/** The moment when a row can be taken: it moves, and nobody holds it. */
	#free(now: bigint) {
		return sql`(lease_until is null or lease_until <= ${now}) and due_at is not null`;
	}

	async take(id: string, leaseMs: number): Promise<Lease | null> {
		const now = BigInt(this.#now());
		const { rows } = await sql<Lease>`update ${this.#table}
			set lease_owner = ${this.#owner}, lease_until = ${now + BigInt(leaseMs)}, fencing_token = fencing_token + 1
			where id = ${id} and ${this.#free(now)} returning id, fencing_token as "fencingToken"`.execute(
			this.#db
		);
		return rows[0] ?? null;
	}

	async takeDue(leaseMs: number): Promise<Lease | null> {
		const now = BigInt(this.#now());
		const { rows } = await sql<{ id: string }>`select id from ${this.#table}
			where due_at <= ${now} and ${this.#free(now)} order by due_at limit 1`.execute(this.#db);
		const [next] = rows;
		return next ? this.take(next.id, leaseMs) : null;
	}

	async untilDue(): Promise<number | null> {
		const { rows } = await sql<{ next_at: bigint | null }>`select
			min(case when lease_until is not null and lease_until > due_at
				then lease_until else due_at end) as next_at
			from ${this.#table} where due_at is not null`.execute(this.#db);
		const at = rows[0]?.next_at ?? null;
		return at === null ? null : Number(at) - this.#now();
	}

	/** @param db a transaction that must not write anything without the lease */
	async renew({ id, fencingToken }: Lease, leaseMs: number, db = this.#db): Promise<boolean> {
		const { rows } = await sql`update ${this.#table}
			set lease_until = ${BigInt(this.#now() + leaseMs)}
			where id = ${id} and fencing_token = ${fencingToken} and lease_until is not null
			returning id`.execute(db);
		return rows.length > 0;
	}

	release(lease: Lease): Promise<void> {
		return this.#giveBack(lease, null);
	}

	rest(lease: Lease, ms: number): Promise<void> {
		return this.#giveBack(lease, BigInt(this.#now() + ms));
	}

	async #giveBack({ id, fencingToken }: Lease, until: bigint | null): Promise<void> {
		await sql`update ${this.#table} set lease_owner = null, lease_until = ${until}
			where id = ${id} and fencing_token = ${fencingToken}`.execute(this.#db);
	}
}
