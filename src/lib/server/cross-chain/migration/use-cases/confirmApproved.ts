import type { MigrationDependencies } from './dependencies.ts';
import { confirm } from './confirm.ts';

/** Migrations that one round looks at. */
const MOST_LOOKED_AT = 200;

/**
 * Goes on with burns that were approved, in the name of who confirmed them, with every check that stands before a
 * burn; those whose approval will not come are drafts again.
 */
export async function confirmApproved(deps: MigrationDependencies): Promise<void> {
	const { store, approvals } = deps;
	for (const row of await store.list({ state: 'burn-needs-approval', limit: MOST_LOOKED_AT })) {
		const request = await approvals.lastOf(row.id);
		if (request?.state === 'open') {
			// Only what was looked at: it may be built anew meanwhile.
			if (await approvals.isMet(request.id)) {
				await confirm(deps, row.id, request.author, row.burn_txid);
			}
			continue;
		}
		const reason = { code: 'burn.not-approved', params: {} } as const;
		await store.act(row.id, ['burn-needs-approval'], {
			state: 'draft',
			reason,
			event: { step: 'burn', message: reason }
		});
	}
}
