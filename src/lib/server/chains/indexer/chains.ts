import type { Index } from './open.ts';
import type { IndexedChain } from './store.ts';

/** A chain with how far its index is. Heights are -1 below the first block. */
export interface ChainPosition extends IndexedChain {
	startHeight: number;
	/** The height that it is to begin at from now on; until then it begins at the other one. */
	wantedStart: number;
	height: number;
	/** The daemon's tip when it was last asked; 0 before that. */
	target: number;
	hash: string | null;
	genesis: string | null;
}

const hexOf = (bytes: Uint8Array | null): string | null =>
	bytes === null ? null : Buffer.from(bytes).toString('hex');

/**
 * The chain's line in the index, made at its first sight. With a start height that was set differently since then
 * who follows the chain begins anew. Only who holds the lease may call it.
 */
export async function ensureChain(
	index: Index,
	name: string,
	startHeight: number
): Promise<ChainPosition> {
	const known = () =>
		index.selectFrom('ix_chains').selectAll().where('name', '=', name).executeTakeFirst();
	let row = await known();
	if (!row) {
		const last = await index
			.selectFrom('ix_chains')
			.select((eb) => eb.fn.max('id').as('id'))
			.executeTakeFirst();
		await index
			.insertInto('ix_chains')
			.values({
				id: (last?.id ?? 0n) + 1n,
				name,
				genesis: null,
				start_height: startHeight,
				height: startHeight - 1,
				hash: null,
				target_height: 0,
				state: 'waiting',
				rate: 0,
				reorgs: 0,
				looked_at: 0,
				written_at: 0
			})
			.onConflict((conflict) => conflict.column('name').doNothing())
			.execute();
		row = await known();
	}
	return {
		id: row!.id,
		name,
		startHeight: Number(row!.start_height),
		wantedStart: startHeight,
		height: Number(row!.height),
		target: Number(row!.target_height),
		hash: hexOf(row!.hash),
		genesis: hexOf(row!.genesis)
	};
}
