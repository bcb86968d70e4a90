import { APPROVALS } from '../states.ts';
import type { MigrationDependencies } from './dependencies.ts';

/**
 * - `approved`: the import goes out
 * - `one-more`: another person has to approve it too
 * - `same-person`: this person's word is there already and counts once
 * - `moved-on`: it did not wait for approval
 */
type ApprovalResult = 'approved' | 'one-more' | 'same-person' | 'moved-on';

/** Lets the import be sent, where the policy asks one person or two. */
export async function approveStep(
	deps: MigrationDependencies,
	id: string,
	actor: string
): Promise<ApprovalResult> {
	const { store, wake } = deps;
	const migration = await store.load(id);
	if (migration?.row.state !== 'needs-approval') return 'moved-on';
	// How many it needs only a server of that release knows.
	if (migration.ofAnotherRelease) return 'moved-on';
	const { policy, approved_by: first } = migration.row;
	if (first === actor) return 'same-person';
	const params = { actor };
	const oneMore = { code: 'approval.first', params } as const;
	const audit = { actor, action: 'migration.approved', target: id } as const;
	const isFirstOfTwo = APPROVALS[policy] === 2 && first === null;
	const done = await store.act(
		id,
		['needs-approval'],
		isFirstOfTwo
			? {
					reason: oneMore,
					event: { step: 'import-sent', message: oneMore },
					audit
				}
			: {
					state: 'ready-to-import',
					reason: null,
					due: store.now,
					event: { step: 'import-sent', message: { code: 'import.approved', params } },
					audit
				},
		first === null ? { approved_by: actor } : { approved_too: actor },
		{ approvedBy: first }
	);
	// Somebody else's word came in between: this one is counted after it.
	if (!done) return approveStep(deps, id, actor);
	wake();
	return isFirstOfTwo ? 'one-more' : 'approved';
}
