/**
 * What a backup brings back is as it was when the backup was made. Which transfers of a batch went out since is not
 * known any more, and another transaction for one of them would pay its recipient twice: so no batch goes on before
 * somebody has looked.
 */
import type { Audit } from '../../access/audit/audit.ts';
import type { Database } from '../../platform/database/database.ts';
import type { WalletTables } from '../tables.ts';
import { createBatchTransferStore } from './store.ts';

/** Stops every batch transfer of which something could be sent. @returns how many there were */
export async function stopRestored(
	db: Database<WalletTables>,
	audit: Audit,
	clock: () => number = Date.now
): Promise<number> {
	const store = createBatchTransferStore(db, audit, clock);
	const unfinished = await store.unfinished();
	const problem = { code: 'backup.restored', params: {} } as const;
	for (const batchTransfer of unfinished) await store.stop(batchTransfer, problem);
	return unfinished.length;
}
