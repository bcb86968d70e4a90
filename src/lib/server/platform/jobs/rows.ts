/**
 * Leases of rows that work is done on. Whoever moves a row holds its lease, and every write carries the
 * lease's fence: a worker that slept through the end of its lease finds that its writes are refused.
 */
import { sql, type QueryExecutorProvider } from 'kysely';
import { isGone } from './owner.ts';

export interface Lease {
	id: string;
	/** Grows with every lease of the row. */
	fence: bigint;
}

/** Tables with the columns id, due_at, fence, lease_owner and lease_until. */
type LeasedTable = 'migrations' | 'activations';

export class RowLeases {
	readonly #db: QueryExecutorProvider;
	readonly #table: ReturnType<typeof sql.table>;
	readonly #now: () => number;

	constructor({
		db,
		table,
		clock
	}: {
		db: QueryExecutorProvider;
		table: LeasedTable;
		clock: () => number;
	}) {
		this.#db = db;
		this.#table = sql.table(table);
		this.#now = clock;
	}

	/** The moment when a row can be taken: it moves, and nobody holds it. */
	#free(now: bigint) {
		return sql`(lease_until is null or lease_until <= ${now}) and due_at is not null`;
	}

	/** Takes one row that is free, due or not. Null when another worker holds it. */
	async take(id: string, owner: string, leaseMs: number): Promise<Lease | null> {
		const now = BigInt(this.#now());
		const { rows } = await sql<Lease>`update ${this.#table}
			set lease_owner = ${owner}, lease_until = ${now + BigInt(leaseMs)}, fence = fence + 1
			where id = ${id} and ${this.#free(now)} returning id, fence`.execute(this.#db);
		return rows[0] ?? null;
	}

	/** Takes the row that has been due the longest. Null when none is due and free. */
	async takeDue(owner: string, leaseMs: number): Promise<Lease | null> {
		const now = BigInt(this.#now());
		const { rows } = await sql<{ id: string }>`select id from ${this.#table}
			where due_at <= ${now} and ${this.#free(now)} order by due_at limit 1`.execute(this.#db);
		const [next] = rows;
		return next ? this.take(next.id, owner, leaseMs) : null;
	}

	/** When the next row is due or its lease ends; null when none moves. Unix milliseconds. */
	async nextDue(): Promise<number | null> {
		const { rows } = await sql<{ next_at: bigint | null }>`select
			min(case when lease_until is not null and lease_until > due_at
				then lease_until else due_at end) as next_at
			from ${this.#table} where due_at is not null`.execute(this.#db);
		const at = rows[0]?.next_at ?? null;
		return at === null ? null : Number(at);
	}

	/** Keeps a lease while a call takes its time. False when it was lost. */
	async renew({ id, fence }: Lease, leaseMs: number): Promise<boolean> {
		const { rows } = await sql`update ${this.#table}
			set lease_until = ${BigInt(this.#now() + leaseMs)}
			where id = ${id} and fence = ${fence} and lease_until is not null
			returning id`.execute(this.#db);
		return rows.length > 0;
	}

	/** Gives a lease back; one that was lost already stays with whoever has it. */
	async release({ id, fence }: Lease): Promise<void> {
		await sql`update ${this.#table} set lease_owner = null, lease_until = null
			where id = ${id} and fence = ${fence}`.execute(this.#db);
	}

	/** Frees what processes held that have ended without giving it back; their late writes are refused. */
	async freeGone(): Promise<void> {
		const { rows } = await sql<{ lease_owner: string }>`select distinct lease_owner
			from ${this.#table} where lease_owner is not null`.execute(this.#db);
		for (const { lease_owner: owner } of rows.filter((row) => isGone(row.lease_owner))) {
			await sql`update ${this.#table}
				set lease_owner = null, lease_until = null, fence = fence + 1
				where lease_owner = ${owner}`.execute(this.#db);
		}
	}
}
