/** How far the bytes of a migration's steps have come, for who may read them. */
import type { BytesStanding } from '../../wallet/transactions/bytes.ts';
import { BEFORE_BURN, hasArrived } from './states.ts';
import type { StepId } from './steps.ts';
import type { Loaded } from './loaded.ts';

/** Steps that lead to the burn: what a block holds of them, everybody can read there. */
const OF_THE_BURN: ReadonlySet<StepId> = new Set(['compose', 'convert', 'fund', 'burn']);

/** Of all steps together, as a recovery file holds them. */
export function standingOfMigration({ row }: Pick<Loaded, 'row'>): BytesStanding {
	if (BEFORE_BURN.includes(row.state) || row.state === 'abandoned') return 'unconfirmed';
	return hasArrived(row.state) ? 'public' : 'confirmed';
}

/** Of one step. */
export function standingOfStep(loaded: Pick<Loaded, 'row' | 'steps'>, id: StepId): BytesStanding {
	const standing = standingOfMigration(loaded);
	const isMined = Boolean(loaded.steps.get('burn-confirmed')?.doneAt);
	return standing === 'confirmed' && isMined && OF_THE_BURN.has(id) ? 'public' : standing;
}
