/**
 * After a restore: a burn that was unconfirmed at the time of the backup may have been sent since. Its migration
 * must not appear as unsent, or the coins might be burned twice.
 */
import { storedMessage } from '#lib/messages/catalogue.ts';
import type { Database } from '../../platform/database/database.ts';
import type { CrossChainTables } from '../tables.ts';
import { BEFORE_BURN } from './states.ts';

/**
 * Marks every such migration, so that its burn is looked for before anything else.
 * @returns the number of marked migrations
 */
export async function doubtRestoredBurns(db: Database<CrossChainTables>): Promise<number> {
	const now = BigInt(Date.now());
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
