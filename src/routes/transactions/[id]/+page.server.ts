import { error, redirect } from '@sveltejs/kit';
import { sentTransaction as words } from '#lib/messages/pages/transactions.ts';
import type { App as Komodeck } from '#lib/server/appTypes.ts';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { tokenPiece } from '#lib/server/chains/explorer/indexedToken.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import { mayReadBytes, statusOfBytes } from '#lib/server/wallet/transactions/bytes.ts';
import { lookUp } from '#lib/server/wallet/transactions/lookUp.ts';
import { sendAccessOf } from '#lib/server/wallet/transactions/sendAccess.ts';
import type { Send } from '#lib/server/wallet/transactions/store.ts';
import { refuseUnreadable } from '../../readers.ts';
import { refuseRuledToken } from '../../refuseRuledToken.ts';
import { sendRejectionOf } from '../../rejectionOf.ts';
import { requireMember } from '../../requireMember.ts';
import { foreseenSend, heldResend, mayResend } from '../foreseenSend.ts';
import { rightsOverSend } from '../rightsOverSend.ts';
import { discardReviewed, sendReviewed } from '../sendReviewed.ts';
import { shownApproval } from '../shownApproval.ts';
import { shownReview } from '../shownReview.ts';
import { statusOf } from '#lib/server/wallet/transactions/status.ts';
import { transactionPath } from '../transactionPath.ts';
import type { Actions, PageServerLoad } from './$types';

/** Returns a transaction that this member may read, or responds 404. */
async function existing(locals: App.Locals, id: string): Promise<Send> {
	const send = (await locals.app.sender.get(id)) ?? error(404, words.noSuch);
	await refuseUnreadable(locals, 'review', send.follows ?? id, words.noSuch);
	return send;
}

/** Reads the moved token, for its name; null when it cannot be read now. */
async function tokenOf(app: Komodeck, requestId: string, { chain, request }: Send) {
	if (!('tokenid' in request)) return null;
	const { tokenid } = request;
	const client = new PageClient(app.gateway, requestId);
	const facts = await tokenPiece(client, app.index, chain, tokenid);
	return facts.data;
}

/** Returns the decimals by which amounts of its token are displayed. */
async function decimalsOf({ sender }: Komodeck, { chain, request }: Send): Promise<number> {
	if ('tokenid' in request) return sender.decimals(chain, request.tokenid);
	return request.kind === 'token-create' ? (request.decimals ?? 0) : 0;
}

export const load: PageServerLoad = async ({ locals, params: { id } }) => {
	const { app } = locals;
	let send = await existing(locals, id);
	const place = transactionPath(send);
	if (place !== `/transactions/${id}`) redirect(303, place);
	const unread = await lookUp(app.sender, [send]);
	send = (await app.sender.get(id)) ?? send;
	const now = Date.now();
	const mayRead = await mayReadBytes(app.rights, locals, {
		status: statusOfBytes(send),
		chain: send.chain,
		daemon: send.daemon,
		access: sendAccessOf(send)
	});
	const { foreign, mayEnd } = await rightsOverSend(locals, send);
	return withLabels(locals, {
		send: {
			...send,
			...shownReview(send),
			hex: mayRead ? send.hex : null,
			state: statusOf(send, now)
		},
		/** Whether another transaction is sent in its place. */
		isReplaced: send.rejection?.code === 'batch.replaced',
		mayResend: mayResend(send),
		/** Whether the review expired without being sent or discarded. */
		tooOld: send.state === 'reviewed' && send.expiresAt <= now,
		/** The approval request that it waits for. */
		approval: await shownApproval(locals, send),
		rejection: await sendRejectionOf(locals, send),
		unread,
		/** What the policies would decide if this member sent it now. */
		foreseen: foreign === null ? await foreseenSend(locals, send, now) : null,
		/** The rule that keeps this member from sending it again. */
		held: foreign === null ? await heldResend(locals, send) : null,
		/** Why this member cannot send it; null when they can. */
		foreign,
		mayEnd,
		token: await tokenOf(app, locals.requestId, send),
		decimals: await decimalsOf(app, send),
		now
	});
};

async function act(locals: App.Locals, id: string) {
	const { account } = requireMember(locals);
	await refuseRuledToken(locals);
	const { request } = await existing(locals, id);
	const approval = request.kind === 'notary-approval' ? request : null;
	const { sender, notaryApprovals } = locals.app;
	const sending = sender.send(id, account.name);
	const refused = await sendReviewed(
		approval ? sending.then(() => notaryApprovals.sent(approval.burnTxid)) : sending
	);
	if (refused) return refused;
	redirect(303, `/transactions/${id}`);
}

export const actions: Actions = {
	send: ({ locals, params: { id } }) => act(locals, id),

	discard: async ({ locals, params: { id } }) => {
		const { account } = requireMember(locals);
		const { request, chain } = await existing(locals, id);
		const done = await discardReviewed(locals.app.sender.discard(id, account.name));
		if (done.refused) return done.refused;
		// The transaction's page explains the result.
		if (!done.isDiscarded) redirect(303, `/transactions/${id}`);
		if (request.kind === 'notary-approval') redirect(303, `/notary-approvals/${request.burnTxid}`);
		const tokens = `/chains/${encodeURIComponent(chain)}/tokens`;
		redirect(303, request.kind === 'token-create' ? tokens : '/transactions');
	},

	// The page looks up the transaction when it is loaded.
	look: ({ params: { id } }) => redirect(303, `/transactions/${encodeURIComponent(id)}`)
};
