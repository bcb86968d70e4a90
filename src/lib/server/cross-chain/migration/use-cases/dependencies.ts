import type { Approvals } from '../../../access/approvals/approvals.ts';
import type { Audit } from '../../../access/audit/audit.ts';
import type { Rights } from '../../../access/rights/rights.ts';
import type { Gateway } from '../../../chains/daemon/types.ts';
import type { IndexReader } from '../../../chains/health/indexMemory.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { CrossChainTables } from '../../tables.ts';
import type { MigrationStore } from '../store.ts';

/** Dependencies of the use cases of migrations. */
export interface MigrationDependencies {
	db: Database<CrossChainTables>;
	store: MigrationStore;
	gateway: Gateway;
	audit: Audit;
	/** Access to wallets, and spending limits. */
	rights: Rights;
	/** Approval requests for burns. */
	approvals: Pick<Approvals, 'lastOf' | 'isMet' | 'voidOf' | 'voidOne'>;
	indexesOf: IndexReader;
	/** Whether fungible tokens may be migrated from here. */
	fungibleTokens: boolean;
	/** Makes the engine check at once what is due. */
	wake: () => void;
}
