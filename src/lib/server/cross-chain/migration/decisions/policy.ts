import { readableTransaction, txidOf } from '#lib/chain/transaction.ts';
import type { MigrationReason } from '#lib/messages/migration/reasons.ts';
import { APPROVALS, type MigrationPolicy } from '../states.ts';
import { pauseAfter } from '../steps.ts';
import type { MigrationRecord } from '../migrationRecord.ts';
import { waitedIn, type Context, type Decision } from './decision.ts';

const isApproved = ({ row, approvers }: MigrationRecord): boolean =>
	approvers.length >= APPROVALS[row.policy];

/** Sends the import at once, or waits for the approvals that the policy requires. */
export function importReady({ migration, row, now }: Context): Decision {
	const { approvers } = migration;
	if (isApproved(migration)) {
		return { patch: { state: 'ready-to-import', reason: null }, next: 'again' };
	}
	const due = now + pauseAfter('import-sent', 0);
	return {
		patch: { state: 'needs-approval', reason: asking(row.policy, approvers), due },
		next: 'rest'
	};
}

function asking(policy: MigrationPolicy, [actor]: readonly string[]): MigrationReason {
	if (actor !== undefined) return { code: 'approval.first', params: { actor } };
	return { code: policy === 'ask-two' ? 'approval.asked-two' : 'approval.asked', params: {} };
}

/** Whether a daemon of the destination has listed exactly the bytes that are chosen now. */
function wasOut({ steps }: MigrationRecord): boolean {
	const { hex, evidence } = steps.get('import-sent') ?? {};
	const tx = hex ? readableTransaction(hex) : null;
	return tx !== null && txidOf(tx) === evidence?.seen;
}

/**
 * Whether a chosen import may be sent. Its approvers may have lost the account or the role while its daemon was away;
 * an import that was on the network is sent again unchanged.
 */
export const mayLeave = (migration: MigrationRecord): boolean =>
	isApproved(migration) || wasOut(migration);

/** Goes on once enough approvals count: a member who had lost the account or the role can have it back. */
export const approvalAwaited = (at: Context): Decision =>
	isApproved(at.migration) ? importReady(at) : stillAwaited(at);

/** Keeps watching the burn while approvals are awaited; the reason stays. */
export function stillAwaited(at: Context): Decision {
	const due = at.now + pauseAfter('import-sent', waitedIn(at, 'import-sent', true));
	return { patch: { due }, next: 'rest' };
}
