import { BEFORE_BURN } from '../states.ts';
import type { MigrationDependencies } from './dependencies.ts';
import { refuseEnding } from './guards.ts';

/**
 * Discards a draft. False when its burn was confirmed already.
 * @throws {AppError} `work.denied`
 */
export async function discard(
	deps: MigrationDependencies,
	id: string,
	actor: string
): Promise<boolean> {
	const { store, approvals } = deps;
	const migration = await store.load(id);
	if (migration) await refuseEnding(deps, migration.row, actor, 'migration discarded');
	return store.act(
		id,
		BEFORE_BURN,
		{
			state: 'discarded',
			due: null,
			event: { step: 'burn', message: { code: 'migration.discarded', params: { actor } } },
			audit: {
				actor,
				action: 'migration.discarded',
				target: id,
				...(migration && { place: migration.row.source })
			}
		},
		// The wallet may build the very same burn again.
		{ burn_txid: null },
		undefined,
		(trx) => approvals.voidOf(id, actor, trx)
	);
}
