import { isAppError } from '../../../platform/errors/appError.ts';
import { buildFailure } from '../buildBurn.ts';
import { refusal, type Check } from '../check.ts';
import { isOwnBurnOut } from '../ownBurn.ts';
import type { Route } from '../preflight.ts';
import { BEFORE_BURN } from '../states.ts';
import type { MigrationRecord } from '../migrationRecord.ts';
import { daemonOfDraft } from '../routeDaemons.ts';
import { buildFor, stepsOfBurn } from './buildForReview.ts';
import { renewed } from './composeBurn.ts';
import type { MigrationDependencies } from './dependencies.ts';
import { lockedBy } from './guards.ts';
import { mayBeOut } from './mayBeOut.ts';
import { requestOf } from './storedRequest.ts';

/** Result of rebuilding a draft. */
export type RebuildResult =
	/** There is a new burn to review. */
	| { kind: 'rebuilt' }
	| { kind: 'refused'; checks: Check[] }
	/** The state has changed since the member saw it. */
	| { kind: 'moved-on' };

/**
 * Builds the burn of a draft again, for another review, because its outputs were spent or the wallet has changed.
 * @throws {AppError} `daemon` when the earlier burn may be on the chain and the daemon cannot tell
 */
export async function rebuild(
	deps: MigrationDependencies,
	migration: MigrationRecord,
	route: Route
): Promise<RebuildResult> {
	const { gateway, store, approvals } = deps;
	const { row, steps } = migration;
	if (row.burn_txid !== null && (await mayBeOut(deps, row))) {
		// A daemon that lacks blocks does not find it, and a second burn would take the coins twice.
		const { id } = daemonOfDraft(gateway, row) ?? route.sourceDaemon;
		if (await isOwnBurnOut(gateway, id, migration)) return { kind: 'moved-on' };
	}
	let request = requestOf(migration);
	try {
		request = await renewed(deps, request, route);
	} catch (error) {
		return { kind: 'refused', checks: [refusal(buildFailure(error))] };
	}
	const built = await buildFor(deps, request, route);
	if ('result' in built) return { kind: 'refused', checks: [built] };
	try {
		const done = await store.act(
			row.id,
			BEFORE_BURN,
			{
				state: 'draft',
				reason: null,
				steps: stepsOfBurn(built, request, steps),
				event: { step: 'burn', message: { code: 'draft.rebuilt', params: {} } }
			},
			{
				source_daemon: route.sourceDaemon.id,
				burn_txid: built.review.txid,
				payouts: built.payouts,
				pubkey: route.pubkey
			},
			undefined,
			async (trx) => {
				await store.lock(trx, row, built.review.inputs);
				// An approval only applies to the bytes that were reviewed.
				await approvals.voidOf(row.id, 'engine', trx);
			}
		);
		return { kind: done ? 'rebuilt' : 'moved-on' };
	} catch (error) {
		if (!isAppError(error, 'utxos.locked')) throw error;
		return { kind: 'refused', checks: [lockedBy(error)] };
	}
}
