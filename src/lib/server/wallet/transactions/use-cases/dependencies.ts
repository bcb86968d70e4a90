import type { Approvals } from '../../../access/approvals/approvals.ts';
import type { Audit } from '../../../access/audit/audit.ts';
import type { Rights } from '../../../access/rights/rights.ts';
import type { Gateway } from '../../../chains/daemon/types.ts';
import type { FinalityRule } from '../../../platform/config/finality.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { WalletTables } from '../../tables.ts';
import type { Store } from '../store.ts';

/** Dependencies of the use cases of transactions. */
export interface SendingDependencies {
	db: Database<WalletTables>;
	store: Store;
	gateway: Gateway;
	audit: Audit;
	/** Decides who may use a wallet, and what spending limits leave. */
	rights: Rights;
	/** Approvals that reviews wait for. */
	approvals: Pick<Approvals, 'isLacking' | 'lastOf' | 'voidOf'>;
	/** When a block of a chain is final. */
	ruleOf: (chain: string) => FinalityRule;
	/** Unix milliseconds. */
	clock: () => number;
	/** Second transactions of a pair that this process is sending. */
	following: Set<string>;
	/** Daemons that this process is asking about reviews whose approvals will not come. */
	discarding: Set<string>;
}
