import type { Send } from '#lib/server/wallet/transactions/store.ts';

/** Returns the open approval request of a transaction; null when there is none that this member may see. */
export async function shownApproval({ account, app }: App.Locals, { id, state }: Send) {
	const request = state === 'needs-approval' ? await app.approvals.openOf(id, account) : null;
	if (request === null) return null;
	const { author, missing, expiresAt } = request;
	return {
		id: request.id,
		missing,
		expiresAt,
		/** The member whose send others approve. */
		author,
		/**
		 * Whether enough members approved a send of this member. Another member who sends the transaction asks for
		 * approvals anew.
		 */
		mayGo: missing === 0 && request.account === account?.id
	};
}
