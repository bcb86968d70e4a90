import { approvalSentence } from '#lib/messages/pages/transactions.ts';
import { sendAccessOf } from '#lib/server/wallet/transactions/sendAccess.ts';
import type { Send } from '#lib/server/wallet/transactions/store.ts';

/** Returns the open approval request of a transaction; null when there is none that this member may see. */
export async function shownApproval({ account, app }: App.Locals, send: Send) {
	const { id, state, daemon } = send;
	const request = state === 'needs-approval' ? await app.approvals.openOf(id, account) : null;
	if (request === null) return null;
	const { author, missing, expiresAt } = request;
	const isAuthor = request.account === account?.id;
	const maySend = async (): Promise<boolean> =>
		(await app.rights.sendRefusal(author, daemon, sendAccessOf(send))) === null;
	const status =
		missing > 0
			? ('waiting' as const)
			: isAuthor
				? ('approved' as const)
				: (await maySend())
					? ('approved-for-author' as const)
					: ('author-gone' as const);
	return {
		id: request.id,
		status,
		missing,
		expiresAt,
		/** Ends with the time until which the inputs are locked. */
		sentence: approvalSentence(status, author),
		/**
		 * Whether this member may send it: others approved it for them, or its author cannot send it any more. In that
		 * case it is approved anew.
		 */
		mayGo: status === 'approved' || status === 'author-gone'
	};
}
