import type { Database } from '../../../platform/database/database.ts';
import type { Audit } from '../../audit/audit.ts';
import type { AccessTables } from '../../tables.ts';
import type { Bearer } from '../../credentials/bearer.ts';
import type { createLucia } from './lucia.ts';
import type { SessionRule } from './sessionRule.ts';

/** What the use cases of sessions need. */
export interface SessionDependencies {
	db: Database<AccessTables>;
	audit: Pick<Audit, 'lock' | 'append'>;
	bearer: Bearer;
	lucia: ReturnType<typeof createLucia>;
	/** How long sessions last now. */
	rule: () => Promise<SessionRule>;
	/** The rule as it was last read; null before the first reading. */
	latestRule: () => SessionRule | null;
}
