/**
 * A review in a restored backup could still be sent when the backup was made, and may have been since. It
 * must not be shown as unsent before its chain is asked: a member might pay a second time.
 */
import type { Database } from '../../platform/database/database.ts';
import type { WalletTables } from '../tables.ts';

/**
 * Sets every such transaction to `unknown`, so that it is looked up.
 * @param madeAt when the backup was made by the clock of the backup command, Unix milliseconds
 * @returns how many there were
 */
export async function doubtRestored(db: Database<WalletTables>, madeAt: number): Promise<number> {
	// Reviews expire by the clock of the server that stored them, which may be behind that of the backup.
	const newest = await db
		.selectFrom('transactions')
		.select(({ fn }) => fn.max('created_at').as('at'))
		.executeTakeFirst();
	const since = Math.min(madeAt, Number(newest?.at ?? madeAt));
	const { numUpdatedRows } = await db
		.updateTable('transactions')
		.set({ state: 'unknown', broadcast_at: BigInt(madeAt) })
		// The second transaction of a pair is looked up when the first is confirmed.
		.where('follows', 'is', null)
		.where(({ or, and, eb }) =>
			or([
				eb('state', '=', 'needs-approval'),
				and([eb('state', '=', 'reviewed'), eb('expires_at', '>', BigInt(since))])
			])
		)
		.executeTakeFirst();
	return Number(numUpdatedRows);
}
