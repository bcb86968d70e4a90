import { rulesFrom } from './extract.ts';
import { hexOrNull } from '../../platform/database/columns.ts';
import type { Index } from './open.ts';
import type { IndexedChain } from './store.ts';

/** A chain and the position of its index. A height of `startHeight - 1` means that no block is indexed. */
export interface ChainPosition extends IndexedChain {
	startHeight: number;
	/** The configured start height; indexing begins anew there when it differs from `startHeight`. */
	wantedStart: number;
	/** Number of the rules by which its blocks were read; indexing begins anew when it differs from {@link rulesFrom}. */
	rules: number;
	height: number;
	/** Height of the daemon's tip when it was last asked; 0 before that. */
	target: number;
	hash: string | null;
	genesis: string | null;
}

/**
 * Returns the chain's row in the index, and creates it if needed. If the configured start height or the rules have
 * changed, the caller must begin anew. Only the holder of the lease may call this.
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
				rules: rulesFrom(startHeight),
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
		rules: Number(row!.rules),
		height: Number(row!.height),
		target: Number(row!.target_height),
		hash: hexOrNull(row!.hash),
		genesis: hexOrNull(row!.genesis)
	};
}
