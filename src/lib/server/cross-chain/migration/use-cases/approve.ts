import { nameKeyOf } from '../../../access/accounts/names.ts';
import { votersOf } from '../../../access/approvals/voters.ts';
import { mayAccess } from '../../../access/policy/permissions.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { CrossChainTables } from '../../tables.ts';
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

/** Whether an earlier approval by this member still counts: they may have lost the account or the role since. */
async function mayApprove(trx: Executor<CrossChainTables>, name: string): Promise<boolean> {
	const key = nameKeyOf(name);
	const member = (await votersOf(trx)).find((voter) => nameKeyOf(voter.name) === key);
	return member !== undefined && member.enabled && mayAccess(member.role, 'broadcast', false);
}

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
	const { policy, approved_by: first } = migration.row;
	if (first === actor) return 'same-person';
	const params = { actor };
	const oneMore = { code: 'approval.first', params } as const;
	const audit = { actor, action: 'migration.approved', target: id } as const;
	let isFirstOfTwo = false;
	const done = await store.act(
		id,
		['needs-approval'],
		{ audit },
		{},
		{ approvedBy: first },
		async (trx): Promise<Patch> => {
			const counts = first !== null && (await mayApprove(trx, first));
			isFirstOfTwo = APPROVALS[policy] === 2 && !counts;
			const approved = counts ? { approved_too: actor } : { approved_by: actor };
			await trx.updateTable('migrations').set(approved).where('id', '=', id).execute();
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
