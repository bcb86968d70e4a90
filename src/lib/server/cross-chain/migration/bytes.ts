/** How public the bytes of a migration's steps are, which decides who may read them. */
import type { BytesStatus } from '../../wallet/transactions/bytes.ts';
import { BEFORE_BURN, hasArrived } from './states.ts';
import type { StepId } from './steps.ts';
import type { MigrationRecord } from './migrationRecord.ts';

/** Steps whose bytes are public once the burn is in a block. */
const OF_THE_BURN: ReadonlySet<StepId> = new Set(['compose', 'convert', 'fund', 'burn']);

/** Returns the status of all steps together, as a recovery file contains them. */
export function statusOfMigration({ row }: Pick<MigrationRecord, 'row'>): BytesStatus {
	if (BEFORE_BURN.includes(row.state) || row.state === 'discarded') return 'unconfirmed';
	return hasArrived(row.state) ? 'public' : 'confirmed';
}

/** Returns the status of one step. */
export function statusOfStep(
	migration: Pick<MigrationRecord, 'row' | 'steps'>,
	id: StepId
): BytesStatus {
	const status = statusOfMigration(migration);
	const isMined = Boolean(migration.steps.get('burn-confirmed')?.doneAt);
	return status === 'confirmed' && isMined && OF_THE_BURN.has(id) ? 'public' : status;
}
