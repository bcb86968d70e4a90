import type { WalletTables } from '../wallet/tables.ts';
import type { FirstStepsTables } from './first-steps/tables.ts';
import type { MigrationTables } from './migration/tables.ts';
import type { ApprovalQueueTables } from './notary-approvals/queue/tables.ts';
import type { NotaryApprovalTables } from './notary-approvals/tables.ts';

/** The tables that this folder and the preceding ones may read and write. */
export interface CrossChainTables
	extends
		ApprovalQueueTables,
		FirstStepsTables,
		NotaryApprovalTables,
		MigrationTables,
		WalletTables {}
