import type { Database } from '../../../platform/database/database.ts';
import type { Audit } from '../../audit/audit.ts';
import type { AccessTables } from '../../tables.ts';
import type { LocalLogin } from '../localLogin.ts';
import type { SessionRule } from '../sessions/sessionRule.ts';
import type { HandsOver } from '../work.ts';

/** What the use cases of members need. */
export interface MemberDependencies {
	db: Database<AccessTables>;
	audit: Audit;
	/** Whether members may log in with credentials of this installation. */
	localLogin: LocalLogin;
	/** Finds and assigns open work. */
	work: HandsOver;
	/** How long sessions last now. */
	sessionRule: () => Promise<SessionRule>;
}
