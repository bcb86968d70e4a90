/**
 * A restored backup has the state of the time at which it was made. Which transfers of a batch were sent
 * since is unknown, and another transaction for one of them would pay its recipient twice. So no batch
 * transfer continues before a member has checked it.
 */
import type { Audit } from '../../access/audit/audit.ts';
import type { Database } from '../../platform/database/database.ts';
import type { WalletTables } from '../tables.ts';
import { createBatchTransferStore } from './store.ts';

/**
 * Stops every batch transfer that could still send something.
 * @returns how many there were
 */
export async function stopRestored(db: Database<WalletTables>, audit: Audit): Promise<number> {
	const store = createBatchTransferStore(db, audit, Date.now);
	const unfinished = await store.unfinished();
	const problem = { code: 'backup.restored', params: {} } as const;
	for (const batchTransfer of unfinished) await store.stop(batchTransfer, problem);
	return unfinished.length;
}
