import { approversOf } from '../approvers.ts';
import type { Patch } from '../patch.ts';
import { APPROVALS } from '../states.ts';
import type { MigrationDependencies } from './dependencies.ts';

/**
 * - `approved`: the import is sent
 * - `one-more`: another member has to approve it too
 * - `same-person`: this member has approved already, and counts once
 * - `moved-on`: it does not wait for approval
 */
type ApprovalResult = 'approved' | 'one-more' | 'same-person' | 'moved-on';

/** Approves the sending of an import, where the policy requires one or two members. */
export async function approveStep(
	deps: MigrationDependencies,
	id: string,
	actor: string
): Promise<ApprovalResult> {
	const { store, wake } = deps;
	const migration = await store.load(id);
	if (migration?.row.state !== 'needs-approval') return 'moved-on';
	// Only a server of that release knows how many approvals it needs.
	if (migration.ofAnotherRelease) return 'moved-on';
	if (migration.approvers.includes(actor)) return 'same-person';
	const { policy } = migration.row;
	const params = { actor };
	const oneMore = { code: 'approval.first', params } as const;
	const audit = { actor, action: 'migration.approved', target: id } as const;
	let isFirstOfTwo = false;
	const done = await store.act(
		id,
		['needs-approval'],
		{ audit },
		{},
		migration.row,
		async (trx): Promise<Patch> => {
			const approvers = new Set([...(await approversOf(trx, migration.row)), actor]);
			isFirstOfTwo = approvers.size < APPROVALS[policy];
			const [approved_by, approved_too = null] = approvers;
			await trx
				.updateTable('migrations')
				.set({ approved_by: approved_by ?? actor, approved_too })
				.where('id', '=', id)
				.execute();
			return isFirstOfTwo
				? { reason: oneMore, event: { step: 'import-sent', message: oneMore } }
				: {
						state: 'ready-to-import',
						reason: null,
						due: store.now,
						event: { step: 'import-sent', message: { code: 'import.approved', params } }
					};
		}
	);
	// Another member approved meanwhile: this approval is counted after theirs.
	if (!done) return approveStep(deps, id, actor);
	wake();
	return isFirstOfTwo ? 'one-more' : 'approved';
}
