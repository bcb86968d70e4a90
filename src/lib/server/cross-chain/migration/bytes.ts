/** How far the bytes of a migration's steps have come, for who may read them. */
import type { BytesStatus } from '../../wallet/transactions/bytes.ts';
import { BEFORE_BURN, hasArrived } from './states.ts';
import type { StepId } from './steps.ts';
import type { MigrationRecord } from './migrationRecord.ts';

/** Steps that lead to the burn: what a block holds of them, everybody can read there. */
const OF_THE_BURN: ReadonlySet<StepId> = new Set(['compose', 'convert', 'fund', 'burn']);

/** Of all steps together, as a recovery file holds them. */
export function statusOfMigration({ row }: Pick<MigrationRecord, 'row'>): BytesStatus {
	if (BEFORE_BURN.includes(row.state) || row.state === 'discarded') return 'unconfirmed';
	return hasArrived(row.state) ? 'public' : 'confirmed';
}

/** Of one step. */
export function statusOfStep(
	migration: Pick<MigrationRecord, 'row' | 'steps'>,
	id: StepId
): BytesStatus {
	const status = statusOfMigration(migration);
	const isMined = Boolean(migration.steps.get('burn-confirmed')?.doneAt);
	return status === 'confirmed' && isMined && OF_THE_BURN.has(id) ? 'public' : status;
}
