import type { Database } from '../../../platform/database/database.ts';
import type { Audit } from '../../audit/audit.ts';
import type { AccessTables } from '../../tables.ts';
import type { Bearer } from '../../credentials/bearer.ts';
import type { LocalLogin } from '../localLogin.ts';

/** What the use cases of links need. */
export interface LinkDependencies {
	db: Database<AccessTables>;
	audit: Audit;
	bearer: Bearer;
	localLogin: LocalLogin;
}
