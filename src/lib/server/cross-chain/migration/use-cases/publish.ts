import { isFungibleToken } from '../approvable.ts';
import { isOver, PUBLISHABLE } from '../states.ts';
import type { Evidence } from '../evidence.ts';
import type { MigrationRecord } from '../migrationRecord.ts';
import type { MigrationDependencies } from './dependencies.ts';
import { refuseEnding } from './guards.ts';

/** Returns whether the burn can be published now, and notaries could approve it. */
export function canPublish(migration: MigrationRecord): boolean {
	const { row, steps } = migration;
	return (
		row.path !== 'backup' &&
		PUBLISHABLE.includes(row.state) &&
		!isOver(row) &&
		row.burn_txid !== null &&
		row.payouts !== null &&
		Boolean(steps.get('burn-confirmed')?.doneAt) &&
		Boolean(steps.get('burn')?.hex) &&
		!isFungibleToken(migration)
	);
}

/**
 * Returns the evidence of a published burn.
 * @param at Unix milliseconds
 */
export const published = (at: number, by: string): Evidence<'approvals'> => ({
	publishedAt: at,
	publishedBy: by
});

/**
 * Publishes a confirmed burn, so that notaries can approve it: its recipients become public, and it no longer
 * waits for notarizations. False when its state does not allow that.
 * @throws {AppError} `work.denied`
 */
export async function publish(
	deps: MigrationDependencies,
	id: string,
	actor: string
): Promise<boolean> {
	const { store, wake } = deps;
	const migration = await store.load(id);
	if (!migration || !canPublish(migration)) return false;
	const { row } = migration;
	await refuseEnding(deps, row, actor, 'migration published');
	const done = await store.act(
		id,
		[row.state],
		{
			state: 'backup-collecting',
			reason: null,
			due: store.now,
			steps: [
				{
					step: 'approvals',
					evidence: published(store.now, actor),
					started: true
				}
			],
			event: {
				step: 'approvals',
				message: { code: 'burn.published', params: { actor, chain: row.destination } }
			},
			audit: {
				actor,
				action: 'migration.published',
				target: id,
				detail: { txid: row.burn_txid, chain: row.source, destination: row.destination }
			}
		},
		{ path: 'backup' }
	);
	wake();
	return done;
}
