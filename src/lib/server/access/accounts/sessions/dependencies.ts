import type { Executor } from '../../../platform/database/database.ts';
import type { AccessTables } from '../../tables.ts';
import type { Bearer } from '../../credentials/bearer.ts';
import type { createLucia } from './lucia.ts';
import type { SessionRule } from './sessionRule.ts';

/** What the use cases of sessions need. */
export interface SessionDependencies {
	db: Executor<AccessTables>;
	bearer: Bearer;
	lucia: ReturnType<typeof createLucia>;
	/** How long sessions last now. */
	rule: () => Promise<SessionRule>;
	/** The rule as it was last read; null before the first reading. */
	latestRule: () => SessionRule | null;
}
