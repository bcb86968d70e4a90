/**
 * A burn that waited for a person when a backup was made may have been sent since. Its migration is not shown as one of
 * which nothing went out: whoever believed that would burn once more.
 */
import { storedMessage } from '#lib/messages/catalogue.ts';
import type { Database } from '../../platform/database/database.ts';
import type { CrossChainTables } from '../tables.ts';
import { BEFORE_BURN } from './states.ts';

/**
 * Says so of every such migration, and that its burn is looked for before anything else.
 * @returns how many there were
 */
export async function doubtRestoredBurns(
	db: Database<CrossChainTables>,
	clock: () => number = Date.now
): Promise<number> {
	const now = BigInt(clock());
	const { numUpdatedRows } = await db
		.updateTable('migrations')
		.set({
			state: 'preflight-failed',
			reason: storedMessage({ code: 'burn.restored', params: {} }),
			state_since: now,
			updated_at: now
		})
		.where('state', 'in', BEFORE_BURN)
		.where('burn_txid', 'is not', null)
		.executeTakeFirst();
	return Number(numUpdatedRows);
}
