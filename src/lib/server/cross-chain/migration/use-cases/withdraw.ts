import type { MigrationRecord } from '../migrationRecord.ts';
import { isOver } from '../states.ts';
import type { MigrationDependencies } from './dependencies.ts';
import { refuseEnding } from './guards.ts';

/**
 * Whether the burn is published for notary approvals and can be withdrawn. A stopped migration can withdraw
 * only once its burn is in a block; before that, `resume` continues it from the burn.
 */
export function canWithdraw({ row, steps }: MigrationRecord): boolean {
	if (row.path !== 'backup') return false;
	if (row.state === 'backup-collecting') return true;
	if (isOver(row)) return false;
	return row.state === 'stuck' && Boolean(steps.get('burn-confirmed')?.doneAt);
}

/**
 * Withdraws the burn from the published list: the migration continues with notarizations. False when it is not
 * published.
 * @throws {AppError} `work.denied`
 */
export async function withdraw(
	deps: MigrationDependencies,
	id: string,
	actor: string
): Promise<boolean> {
	const { store, wake } = deps;
	const migration = await store.load(id);
	if (!migration || !canWithdraw(migration)) return false;
	await refuseEnding(deps, migration.row, actor, 'migration withdrawn');
	const done = await store.act(
		id,
		[migration.row.state],
		{
			state: 'burn-confirmed',
			reason: null,
			due: store.now,
			steps: [{ step: 'approvals', evidence: { publishedAt: null, publishedBy: null } }],
			event: { step: 'approvals', message: { code: 'burn.withdrawn', params: { actor } } },
			audit: { actor, action: 'migration.withdrawn', target: id }
		},
		{ path: migration.steps.has('compose') ? 'custom' : 'notarized' }
	);
	wake();
	return done;
}
