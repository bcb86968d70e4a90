import { isGone } from '../../platform/jobs/owner.ts';
import type { IndexTrx } from './bulk.ts';
import type { Index } from './open.ts';

/** Another replica indexes now; what this one was about to write is dropped. */
export class LeaseLost extends Error {
	override readonly name = 'LeaseLost';
	readonly code = 'lease-lost';

	constructor() {
		super('Another server indexes the chains now.');
	}
}

const ID = 1n;
/** How long a silent owner keeps the lease, in milliseconds. */
export const LEASE_MS = 15_000;

/**
 * Who indexes. The lease is renewed inside each transaction that writes, so an owner that slept too long
 * finds out before its rows are there, not after.
 */
export class Lease {
	readonly #index: Index;
	readonly #owner: string;
	readonly #clock: () => number;

	/** @param owner a name that no other process has */
	constructor(index: Index, owner: string, clock: () => number = Date.now) {
		this.#index = index;
		this.#owner = owner;
		this.#clock = clock;
	}

	/**
	 * Takes the lease when it is free or ours, or of a process that has ended; false while another one
	 * holds it.
	 */
	async take(): Promise<boolean> {
		const now = this.#clock();
		const holder = await this.#index.selectFrom('ix_lease').select('owner').executeTakeFirst();
		const ownerless = holder !== undefined && isGone(holder.owner) ? [holder.owner] : [];
		const row = await this.#index
			.insertInto('ix_lease')
			.values({ id: ID, owner: this.#owner, until: now + LEASE_MS })
			.onConflict((conflict) =>
				conflict
					.column('id')
					.doUpdateSet({ owner: this.#owner, until: now + LEASE_MS })
					.where((eb) =>
						eb.or([
							eb('ix_lease.owner', 'in', [this.#owner, ...ownerless]),
							eb('ix_lease.until', '<=', BigInt(now)),
							// No lease reaches that far: the clock was set back since.
							eb('ix_lease.until', '>', BigInt(now + 4 * LEASE_MS))
						])
					)
			)
			.returning('owner')
			.executeTakeFirst();
		return row !== undefined;
	}

	/** @throws {LeaseLost} */
	async renew({ trx }: IndexTrx): Promise<void> {
		const { numUpdatedRows } = await trx
			.updateTable('ix_lease')
			.set({ until: this.#clock() + LEASE_MS })
			.where('id', '=', ID)
			.where('owner', '=', this.#owner)
			.executeTakeFirst();
		if (numUpdatedRows === 0n) throw new LeaseLost();
	}

	/** Gives it up, so that another one need not wait. */
	async release(): Promise<void> {
		await this.#index
			.updateTable('ix_lease')
			.set({ until: 0 })
			.where('id', '=', ID)
			.where('owner', '=', this.#owner)
			.execute();
	}
}
