import type { MigrationRow } from '../migrationRecord.ts';
import { BEFORE_BURN } from '../states.ts';
import type { MigrationDependencies } from './dependencies.ts';

/** Reasons of drafts whose burn may have been sent: a backup brought it back, or its approval was refused. */
const EXPOSED: ReadonlySet<string | undefined> = new Set(['burn.restored', 'burn.not-approved']);

/** Whether the reason of a draft says that its burn may have been sent. */
export const isExposed = ({ reason }: Pick<MigrationRow, 'reason'>): boolean =>
	EXPOSED.has(reason?.code);

/**
 * Whether a burn that was not sent from here may be on its chain: a backup brought it back, or it was shown to others
 * for approval, and anyone with access to its bytes may have sent it. The reason of the draft outlives the request for
 * approval.
 */
export const mayBeOut = async (
	{ approvals }: MigrationDependencies,
	row: MigrationRow
): Promise<boolean> =>
	BEFORE_BURN.includes(row.state) && (isExposed(row) || (await approvals.lastOf(row.id)) !== null);
