import type { MigrationRow } from '../migrationRecord.ts';
import { BEFORE_BURN } from '../states.ts';
import type { MigrationDependencies } from './dependencies.ts';

/** Whether a backup brought the migration back, after which its burn may have been sent. */
export const isRestored = ({ reason }: Pick<MigrationRow, 'reason'>): boolean =>
	reason?.code === 'burn.restored';

/**
 * Whether a burn that was not sent from here may be on its chain: a backup brought it back, or it was shown to others
 * for approval, and anyone with access to its bytes may have sent it.
 */
export const mayBeOut = async (
	{ approvals }: MigrationDependencies,
	row: MigrationRow
): Promise<boolean> =>
	BEFORE_BURN.includes(row.state) && (isRestored(row) || (await approvals.lastOf(row.id)) !== null);
