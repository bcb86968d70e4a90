import { inTheWay } from '../../../wallet/transactions/notBuilt.ts';
import type { MigrationRecord } from '../migrationRecord.ts';
import { BEFORE_BURN } from '../states.ts';
import { adopt } from './adopt.ts';
import type { MigrationDependencies } from './dependencies.ts';
import { refuseEnding } from './guards.ts';

/** Reasons of drafts whose burn may be out, though it was not sent from here. */
const MAY_BE_OUT: ReadonlySet<string | undefined> = new Set(['burn.restored', 'burn.not-approved']);

/**
 * Whether a burn that a backup brought back, or that others were asked to approve, is on its chain: whoever may read its
 * bytes may have sent them by other means. Then its migration goes on.
 * @throws {AppError} `transaction.not-built`
 */
async function isOutSince(
	deps: MigrationDependencies,
	migration: MigrationRecord,
	actor: string
): Promise<boolean> {
	const { row } = migration;
	if (!BEFORE_BURN.includes(row.state)) return false;
	if (row.state !== 'burn-needs-approval' && !MAY_BE_OUT.has(row.reason?.code)) return false;
	try {
		return (await adopt(deps, migration, actor, 'discard')) !== null;
	} catch (error) {
		throw inTheWay(error, 'not-discarded');
	}
}

/**
 * Discards a draft. False when its burn was confirmed already.
 * @throws {AppError} `work.denied`, or `transaction.not-built` when its burn has to be looked for and cannot
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
		// The wallet may build the very same burn again.
		{ burn_txid: null },
		undefined,
		(trx) => approvals.voidOf(id, actor, trx)
	);
}
