/** Resumes a stopped migration where it stopped. */
import type { Executor } from '../../platform/database/database.ts';
import { readHex } from './burnReview.ts';
import { noneRefused } from './decisions/sendImport.ts';
import type { CrossChainTables } from '../tables.ts';
import { isOver, type MigrationState } from './states.ts';
import type { Patch, StepPatch } from './patch.ts';
import type { MigrationRecord, MigrationRow } from './migrationRecord.ts';
import type { MigrationStore } from './store.ts';

/** Returns the state in which a stopped migration resumes. */
export function resumeState({ row, steps }: MigrationRecord): MigrationState {
	if (row.path === 'backup' && steps.get('burn-confirmed')?.doneAt) return 'backup-collecting';
	const built = steps.get('import-built');
	// An import with approvals has no proof: on another route it must be built again.
	const isProof = built?.evidence.root !== null;
	if (isProof && steps.get('import-sent')?.hex) return 'import-unknown';
	// After a missed window the proof is built again: a later notarization may prove the burn.
	const isOpen = row.reason?.code !== 'target.missed';
	if (isProof && isOpen && built?.hex) return 'import-built';
	if (steps.get('burn-confirmed')?.doneAt) return 'burn-confirmed';
	return 'burn-unknown';
}

/** Resets all counters of failed tries, after a person has intervened. */
export const resetAttempts = ({ steps }: Pick<MigrationRecord, 'steps'>): StepPatch[] =>
	[...steps.keys()].map((step): StepPatch => {
		const evidence = { tries: 0 };
		switch (step) {
			case 'burn':
				return { step, evidence: { ...evidence, refused: null, passing: null } };
			case 'import-built':
				return { step, evidence: { ...evidence, asked: 0 } };
			case 'completion':
				return { step, evidence: { ...evidence, lostSince: null } };
			case 'import-sent':
				return {
					step,
					evidence: { ...evidence, refused: null, passing: null, claims: 0, ...noneRefused }
				};
			default:
				return { step, evidence };
		}
	});

/** Returns whether it stopped because the member who confirmed its burn may no longer send it. */
export const isKept = ({ state, reason }: Pick<MigrationRow, 'state' | 'reason'>): boolean =>
	state === 'stuck' && reason?.code === 'burn.kept';

/**
 * Makes the engine check a stopped migration at once; false when it is not stopped.
 * @param confirmedBy the member now responsible for a burn that was held back; null: the server's command line
 * @param also writes in the same database transaction
 * @throws {AppError} `utxos.locked` when it was over, and another draft has locked its inputs
 */
export async function resume(
	store: MigrationStore,
	migration: MigrationRecord,
	{ actor, confirmedBy }: { actor: string; confirmedBy: string | null },
	also?: (trx: Executor<CrossChainTables>) => Promise<void>
): Promise<boolean> {
	const { row } = migration;
	const state = resumeState(migration);
	const step = state === 'import-unknown' ? 'import-sent' : 'burn';
	const steps = resetAttempts(migration);
	if (isKept(row)) steps.push({ step: 'burn', evidence: { confirmedBy } });
	const patch: Patch = {
		state,
		reason: null,
		due: store.now,
		steps,
		event: { step, message: { code: 'migration.retried', params: { actor } } },
		audit: { actor, action: 'migration.retried', target: row.id }
	};
	const hex = migration.steps.get('burn')?.hex ?? '';
	return store.act(row.id, ['stuck'], patch, {}, undefined, async (trx) => {
		// When it was over its locks were released, so another draft may have them.
		if (isOver(row)) await store.lock(trx, row, readHex(hex, 'burn').vin);
		await also?.(trx);
	});
}
