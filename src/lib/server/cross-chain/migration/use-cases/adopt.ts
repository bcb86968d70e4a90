import { daemonClientOf } from '../../../chains/daemon/daemonClient.ts';
import { findOwnBurn, isOwnBurnOut } from '../ownBurn.ts';
import { BEFORE_BURN } from '../states.ts';
import type { MigrationRecord } from '../migrationRecord.ts';
import { daemonOfDraft } from '../routeDaemons.ts';
import type { MigrationDependencies } from './dependencies.ts';
import { amountText } from './written.ts';

/**
 * Adopts the burn of a draft that is already on its chain; nothing is sent. Null when there is none, or no daemon of
 * its chain is configured; false when the migration has changed meanwhile.
 * @param act what the member was about to do
 * @throws {AppError} `daemon`
 */
export async function adopt(
	deps: MigrationDependencies,
	migration: MigrationRecord,
	actor: string,
	act: 'confirm' | 'discard' = 'confirm'
): Promise<boolean | null> {
	const { gateway, store, approvals, wake } = deps;
	const { row, steps } = migration;
	const asked = daemonOfDraft(gateway, row);
	// Without any daemon of the chain, nothing could ever tell.
	if (!asked) return null;
	const source = daemonClientOf(gateway, asked.id);
	const burn = await findOwnBurn(source, migration, (txid) => store.byBurn(txid));
	// Confirming sends the same burn again at worst, but after discarding, a new draft could pay twice.
	if (burn === null && act === 'discard' && (await isOwnBurnOut(gateway, asked.id, migration)))
		return false;
	if (burn === null) return null;
	const owner = await store.byBurn(burn.txid);
	// The burn belongs to another migration.
	if (owner !== null && owner !== row.id) return null;
	const done = await store.act(
		row.id,
		BEFORE_BURN,
		{
			state: 'burn-unknown',
			reason: null,
			due: store.now,
			steps: [
				{
					step: 'burn',
					hex: { from: steps.get('burn')?.hex ?? null, to: burn.hex },
					txid: burn.txid,
					evidence: { confirmedBy: actor },
					started: true,
					// It is on the network, so it needs no right to the wallet of the daemon that continues it.
					...(asked.id === row.source_daemon ? {} : { done: true as const })
				},
				...(burn.height === null
					? []
					: [{ step: 'burn-confirmed' as const, evidence: { height: burn.height } }])
			],
			event: {
				step: 'burn',
				message: {
					code: act === 'confirm' ? 'burn.found' : 'burn.found-instead',
					params: { actor, chain: row.source }
				}
			},
			audit: {
				actor,
				action: act === 'confirm' ? 'migration.confirmed' : 'migration.opened',
				target: row.id,
				detail: { txid: burn.txid, amount: amountText(row), chain: row.source, found: true }
			}
		},
		{ source_daemon: asked.id, burn_txid: burn.txid },
		undefined,
		// The burn is on the network, so open approval requests are void.
		(trx) => approvals.voidOf(row.id, actor, trx)
	);
	wake();
	return done;
}
