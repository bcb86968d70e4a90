import type { Approvals } from '../../../access/approvals/approvals.ts';
import type { Audit } from '../../../access/audit/audit.ts';
import type { Rights } from '../../../access/policy/limits/rights.ts';
import type { Gateway } from '../../../chains/daemon/types.ts';
import type { IndexReader } from '../../../chains/health/indexMemory.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { CrossChainTables } from '../../tables.ts';
import type { MigrationStore } from '../store.ts';

/** What the use cases of migrations work with. */
export interface MigrationDependencies {
	db: Database<CrossChainTables>;
	store: MigrationStore;
	gateway: Gateway;
	audit: Audit;
	/** Whose wallet it is, and how much of the day is left. */
	rights: Rights;
	/** Approvals that burns wait for. */
	approvals: Pick<Approvals, 'lastOf' | 'isMet' | 'voidOf'>;
	indexesOf: IndexReader;
	/** Whether fungible tokens may migrate from here. */
	fungibleTokens: boolean;
	/** Has what is due looked at now. */
	wake: () => void;
}
