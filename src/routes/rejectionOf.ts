import type { Send } from '#lib/server/wallet/transactions/store.ts';

/** A rejected approval request, for the page of its subject. */
interface ShownRejection {
	/** Id of the request. */
	id: string;
	by: string;
	reason: string;
}

/**
 * Returns who rejected the latest approval request of a transaction or migration, and why; null when it was
 * not rejected, and for readers who may not see the request.
 */
export async function rejectionOf(
	{ account, app }: App.Locals,
	subject: string
): Promise<ShownRejection | null> {
	if (account === null) return null;
	const last = await app.approvals.lastOf(subject);
	if (last?.state !== 'rejected') return null;
	const request = await app.approvals.get(last.id, account);
	if (request === null) return null;
	return { id: request.id, by: request.closedBy ?? '', reason: request.reason ?? '' };
}

/** The same for a transaction that was discarded for this reason, or will be after it was looked up. */
export const sendRejectionOf = async (
	locals: App.Locals,
	{ id, state }: Pick<Send, 'id' | 'state'>
): Promise<ShownRejection | null> =>
	state === 'discarded' || state === 'needs-approval' ? rejectionOf(locals, id) : null;
