/** Going on with a stopped migration where it stopped. */
import type { MigrationState } from './states.ts';
import type { Loaded, MigrationStore, StepChange } from './store.ts';
import { words } from './words.ts';

/** The state in which a stopped migration is taken up. */
export function resumeState({ row, steps }: Loaded): MigrationState {
	if (row.route === 'backup' && steps.get('burn-confirmed')?.doneAt) return 'backup-collecting';
	if (steps.get('import-sent')?.hex) return 'import-unknown';
	if (steps.get('import-built')?.hex) return 'import-built';
	if (steps.get('burn-confirmed')?.doneAt) return 'burn-confirmed';
	return 'burn-unknown';
}

/** Everything that counts towards asking a person is counted anew once a person has answered. */
export const freshTries = ({ steps }: Pick<Loaded, 'steps'>): StepChange[] =>
	[...steps.keys()].map((step) => ({
		step,
		evidence: { refused: null, passing: null, tries: 0, asked: 0, refusedAt: null }
	}));

/** Lets the engine look at a stopped migration again, at once; false when it is not stopped. */
export async function resume(
	store: MigrationStore,
	loaded: Loaded,
	actor: string
): Promise<boolean> {
	const { id } = loaded.row;
	const state = resumeState(loaded);
	const step = state === 'import-unknown' ? 'import-sent' : 'burn';
	return store.act(id, ['stuck'], {
		state,
		reason: null,
		due: store.now,
		steps: freshTries(loaded),
		event: { step, words: words.retried(actor) },
		audit: { actor, action: 'migration.retried', target: id }
	});
}
