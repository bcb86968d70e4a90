/**
 * A review that a backup brings back could still be sent when the backup was made, and may have been since. It is not
 * called unsent before its chain was asked: whoever believed that would pay once more.
 */
import type { Database } from '../../platform/database/database.ts';
import type { WalletTables } from '../tables.ts';

/**
 * Says of every such transaction that its outcome is unknown, so that it is looked up.
 * @param madeAt when the backup was made, Unix milliseconds
 * @returns how many there were
 */
export async function doubtRestored(db: Database<WalletTables>, madeAt: number): Promise<number> {
	const { numUpdatedRows } = await db
		.updateTable('transactions')
		.set({ state: 'unknown', broadcast_at: BigInt(madeAt) })
		// What follows another one is looked up when that one is in a block.
		.where('follows', 'is', null)
		.where(({ or, and, eb }) =>
			or([
				eb('state', '=', 'needs-approval'),
				and([eb('state', '=', 'reviewed'), eb('expires_at', '>', BigInt(madeAt))])
			])
		)
		.executeTakeFirst();
	return Number(numUpdatedRows);
}
