/** Going on with a stopped migration where it stopped. */
import type { MigrationState } from './states.ts';
import type { StepPatch } from './patch.ts';
import type { MigrationRecord } from './migrationRecord.ts';
import type { MigrationStore } from './store.ts';

/** The state in which a stopped migration is taken up. */
export function resumeState({ row, steps }: MigrationRecord): MigrationState {
	if (row.path === 'backup' && steps.get('burn-confirmed')?.doneAt) return 'backup-collecting';
	if (steps.get('import-sent')?.hex) return 'import-unknown';
	if (steps.get('import-built')?.hex) return 'import-built';
	if (steps.get('burn-confirmed')?.doneAt) return 'burn-confirmed';
	return 'burn-unknown';
}

/** Everything that counts towards asking a person is counted anew once a person has answered. */
export const freshTries = ({ steps }: Pick<MigrationRecord, 'steps'>): StepPatch[] =>
	[...steps.keys()].map((step): StepPatch => {
		const evidence = { tries: 0 };
		switch (step) {
			case 'burn':
				return { step, evidence: { ...evidence, refused: null, passing: null, refusedAt: null } };
			case 'import-built':
				return { step, evidence: { ...evidence, asked: 0 } };
			case 'completion':
				return { step, evidence: { ...evidence, lostSince: null } };
			case 'import-sent':
				return { step, evidence: { ...evidence, refused: null, passing: null } };
			default:
				return { step, evidence };
		}
	});

/** Lets the engine look at a stopped migration again, at once; false when it is not stopped. */
export async function resume(
	store: MigrationStore,
	migration: MigrationRecord,
	actor: string
): Promise<boolean> {
	const { id } = migration.row;
	const state = resumeState(migration);
	const step = state === 'import-unknown' ? 'import-sent' : 'burn';
	return store.act(id, ['stuck'], {
		state,
		reason: null,
		due: store.now,
		steps: freshTries(migration),
		event: { step, message: { code: 'migration.retried', params: { actor } } },
		audit: { actor, action: 'migration.retried', target: id }
	});
}
