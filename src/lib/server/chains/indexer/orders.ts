/**
 * Orders of admins for the index of a chain: to pause it, and to read blocks again. They are stored in the chain's
 * row, so that the holder of the lease finds them, whichever server they were given on, and they survive a restart.
 */
import type { Selectable } from 'kysely';
import { AppError } from '../../platform/errors/appError.ts';
import type { AuditEntry } from '../../platform/audit-trail/entry.ts';
import type { Index } from './open.ts';
import type { IndexChainsTable } from './tables.ts';
import { actorOf } from '../../platform/audit-trail/entry.ts';

/** What the indexer of a chain has been ordered to do. */
export interface Orders {
	paused: boolean;
	/** First block to read again, with all blocks above; null for none. */
	reindexFrom: number | null;
}

export const ORDER_COLUMNS = ['paused_at', 'reindex_from'] as const;

/** Reads the orders from a chain's row. */
export const readOrders = (
	row: Pick<Selectable<IndexChainsTable>, (typeof ORDER_COLUMNS)[number]>
): Orders => ({
	paused: row.paused_at !== null,
	reindexFrom: row.reindex_from === null ? null : Number(row.reindex_from)
});

/** Returns the current orders of all chains, by name, with one query. */
export async function allOrders(index: Index): Promise<ReadonlyMap<string, Orders>> {
	const rows = await index
		.selectFrom('ix_chains')
		.select(['name', ...ORDER_COLUMNS])
		.execute();
	return new Map(rows.map((row) => [row.name, readOrders(row)]));
}

/** Returns the current orders of a chain. */
export async function ordersOf(index: Index, chain: bigint): Promise<Orders> {
	return readOrders(
		await index
			.selectFrom('ix_chains')
			.select(ORDER_COLUMNS)
			.where('id', '=', chain)
			.executeTakeFirstOrThrow()
	);
}

/** The member who gives an order; null at the server's own command line. */
type Orderer = { id: string; name: string } | null;

interface OrderParts {
	index: Index;
	/**
	 * Records an order.
	 * @throws {AppError} when its member is no longer an admin
	 */
	record: (by: Orderer, entry: AuditEntry) => Promise<void>;
}

/** Gives orders. Each is recorded in the audit log before it takes effect. */
export interface IndexOrders {
	/** Who paused a chain, and when in Unix milliseconds; null while it is not paused. */
	pausedBy(chain: string): Promise<{ name: string; at: number } | null>;
	/** Stops indexing a chain; false when it was already paused. @throws {AppError} `indexer.not-begun` */
	pause(chain: string, by: Orderer): Promise<boolean>;
	/** Resumes indexing; false when the chain was not paused. @throws {AppError} `indexer.not-begun` */
	resume(chain: string, by: Orderer): Promise<boolean>;
	/**
	 * Returns the last block that `reindex` would read again.
	 * @throws {AppError} `indexer.not-begun`, `indexer.not-indexed`
	 */
	lastOf(chain: string, from: number): Promise<number>;
	/**
	 * Removes the block at a height and all above it from the index, and reads them again.
	 * @throws {AppError} `indexer.not-begun`, `indexer.not-indexed`
	 */
	reindex(chain: string, from: number, by: Orderer): Promise<void>;
}

export function createIndexOrders({ index, record }: OrderParts): IndexOrders {
	async function lineOf(chain: string) {
		const line = await index
			.selectFrom('ix_chains')
			.select(['start_height', 'height', 'paused_at'])
			.where('name', '=', chain)
			.executeTakeFirst();
		if (!line) throw new AppError('indexer.not-begun', { chain });
		return line;
	}
	async function lastOf(chain: string, from: number): Promise<number> {
		const line = await lineOf(chain);
		const [first, last] = [Number(line.start_height), Number(line.height)];
		if (!Number.isSafeInteger(from) || from < first || from > last) {
			throw new AppError('indexer.not-indexed', { chain, first, last });
		}
		return last;
	}
	const write = (
		chain: string,
		order: Partial<{
			paused_at: number | null;
			paused_by: string | null;
			state: 'waiting';
			problem: null;
		}>
	) => index.updateTable('ix_chains').set(order).where('name', '=', chain).execute();

	return {
		async pausedBy(chain) {
			const row = await index
				.selectFrom('ix_chains')
				.select(['paused_at', 'paused_by'])
				.where('name', '=', chain)
				.executeTakeFirst();
			if (!row || row.paused_at === null) return null;
			return { name: row.paused_by ?? '', at: Number(row.paused_at) };
		},
		async pause(chain, by) {
			if ((await lineOf(chain)).paused_at !== null) return false;
			const [actor, place] = [actorOf(by), chain];
			await record(by, { actor, action: 'index.paused', target: chain, place });
			await write(chain, {
				paused_at: Date.now(),
				paused_by: actor,
				state: 'waiting',
				problem: null
			});
			return true;
		},
		async resume(chain, by) {
			if ((await lineOf(chain)).paused_at === null) return false;
			const [actor, place] = [actorOf(by), chain];
			await record(by, { actor, action: 'index.resumed', target: chain, place });
			await write(chain, { paused_at: null, paused_by: null });
			return true;
		},
		lastOf,
		async reindex(chain, from, by) {
			const detail = { from, to: await lastOf(chain, from) };
			await record(by, {
				actor: actorOf(by),
				action: 'index.reindexed',
				target: chain,
				place: chain,
				detail
			});
			// A pending order that begins at a lower block stays.
			await index
				.updateTable('ix_chains')
				.set({ reindex_from: from })
				.where('name', '=', chain)
				.where(({ or, eb }) =>
					or([eb('reindex_from', 'is', null), eb('reindex_from', '>', BigInt(from))])
				)
				.execute();
		}
	};
}
