import type { Database } from '../../platform/database/database.ts';
import type { CrossChainTables } from '../tables.ts';

/** The reader of a page: only members see which burns belong to migrations of the team. */
export interface Asking {
	app: { db: Database<CrossChainTables> };
	account: unknown;
}

/** Returns the ids of the migrations of burns, by the hex txid of the burn; none for visitors. */
export async function visibleMigrations(
	{ app: { db }, account }: Asking,
	burns: readonly string[]
): Promise<ReadonlyMap<string | null, string>> {
	if (burns.length === 0 || account === null) return new Map();
	const ours = await db
		.selectFrom('migrations')
		.select(['id', 'burn_txid'])
		.where('burn_txid', 'in', burns)
		.execute();
	return new Map(ours.map(({ id, burn_txid }) => [burn_txid, id]));
}
