import { toSendError } from '../../../wallet/transactions/notBuilt.ts';
import type { MigrationRecord } from '../migrationRecord.ts';
import { BEFORE_BURN } from '../states.ts';
import { adopt } from './adopt.ts';
import type { MigrationDependencies } from './dependencies.ts';
import { refuseEnding } from './guards.ts';
import { mayBeOut } from './mayBeOut.ts';

/**
 * Checks whether a burn that was not sent from here is on its chain. If so, its migration continues.
 * @throws {AppError} `transaction.not-built`
 */
async function isOutSince(
	deps: MigrationDependencies,
	migration: MigrationRecord,
	actor: string
): Promise<boolean> {
	if (!(await mayBeOut(deps, migration.row))) return false;
	try {
		return (await adopt(deps, migration, actor, 'discard')) !== null;
	} catch (error) {
		throw toSendError(error, 'not-discarded');
	}
}

/**
 * Discards a draft. False when its burn was already confirmed.
 * @throws {AppError} `work.denied`, or `transaction.not-built` when it is unknown whether its burn is on the chain
 */
export async function discard(
	deps: MigrationDependencies,
	id: string,
	actor: string
): Promise<boolean> {
	const { store, approvals } = deps;
	const migration = await store.load(id);
	if (migration) await refuseEnding(deps, migration.row, actor, 'migration discarded');
	if (migration && (await isOutSince(deps, migration, actor))) return false;
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
		// Frees the unique txid, because the wallet may build exactly the same burn again.
		{ burn_txid: null },
		undefined,
		(trx) => approvals.voidOf(id, actor, trx)
	);
}
