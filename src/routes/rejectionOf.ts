import type { Send } from '#lib/server/wallet/transactions/store.ts';

/** A rejected approval, as pages of what it was asked for show it. */
interface ShownRejection {
	/** Of the request. */
	id: string;
	by: string;
	reason: string;
}

/**
 * Who rejected the newest approval that a transaction or migration asked for, and why; null where it was not rejected,
 * and for those who may not read the request.
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

/** The same for a transaction that was discarded because of it, or will be once it was looked up. */
export const sendRejectionOf = async (
	locals: App.Locals,
	{ id, state }: Pick<Send, 'id' | 'state'>
): Promise<ShownRejection | null> =>
	state === 'discarded' || state === 'needs-approval' ? rejectionOf(locals, id) : null;
