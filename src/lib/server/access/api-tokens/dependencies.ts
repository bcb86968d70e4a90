import type { Database, Executor } from '../../platform/database/database.ts';
import type { Audit } from '../audit/audit.ts';
import type { Bearer } from '../credentials/bearer.ts';
import type { AccessTables } from '../tables.ts';
import type { LifetimeRule } from './lifetime.ts';

/** What the use cases of API tokens need. */
export interface ApiTokenDependencies {
	db: Database<AccessTables>;
	audit: Audit;
	bearer: Bearer;
	/** Reads the admins' current rule for expiry. */
	lifetimeRule: (within?: Executor<AccessTables>) => Promise<LifetimeRule>;
}
