import { error, fail, redirect } from '@sveltejs/kit';
import { queueProblems } from '#lib/messages/notary-approvals/queueProblems.ts';
import { approvalQueuePage as texts } from '#lib/messages/pages/notaryApprovals.ts';
import type { PublishedBurn } from '#lib/server/cross-chain/notary-approvals/notaryApprovals.ts';
import type { QueuedApproval } from '#lib/server/cross-chain/notary-approvals/queue/approvalQueues.ts';
import { hasArrived } from '#lib/server/cross-chain/migration/states.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import { isTransactionError } from '#lib/server/wallet/transactions/errors.ts';
import { lookAfterAll, sendInTime } from '#lib/server/wallet/transactions/lookUp.ts';
import { statusOf } from '#lib/server/wallet/transactions/status.ts';
import type { Send } from '#lib/server/wallet/transactions/store.ts';
import { onlyReadable } from '../../../readers.ts';
import { refuseRuledToken } from '../../../refuseRuledToken.ts';
import { sendRejectionOf } from '../../../rejectionOf.ts';
import { requireMember } from '../../../requireMember.ts';
import { foreseenSend } from '../../../transactions/foreseenSend.ts';
import { shownApproval } from '../../../transactions/shownApproval.ts';
import { shownReview } from '../../../transactions/shownReview.ts';
import { markOf } from '../marks.ts';
import type { Actions, PageServerLoad } from './$types';

/** Parameter of the page with the id of a deselected transaction. */
const LEFT = 'left';

/** Returns a burn in the form for the page; null when it is no longer published. */
const shownBurn = (found: PublishedBurn | null) =>
	found && {
		txid: found.burn.burnTxid,
		source: found.burn.source,
		destination: found.burn.destination,
		ccid: found.burn.ccid,
		burned: found.burn.burned,
		amount: found.burn.amount,
		tokenid: found.burn.tokenid,
		outputs: found.burn.outputs,
		sourceHeight: found.burn.sourceHeight,
		publishedAt: found.burn.publishedAt,
		done: hasArrived(found.burn.state)
	};

/** Returns an approval in the form for the page, with its transaction decoded. */
async function shownItem(
	locals: App.Locals,
	item: QueuedApproval,
	readable: readonly Send[],
	now: number
) {
	const { rights } = locals.app;
	const { transaction, state } = item;
	const person = locals.account?.name ?? '';
	const status = transaction === null ? null : statusOf(transaction, now);
	const foreign = (await rights.sendRefusal(person, item.daemon, 'notary'))?.message ?? null;
	const shown = transaction !== null && readable.includes(transaction) ? transaction : null;
	const isHeld = status === 'needs-approval';
	/** Whether it is built and not confirmed yet, so that it can be sent from the page. */
	const isReady = state === 'underway' && (isHeld || status === 'reviewed');
	const approval = transaction && isHeld ? await shownApproval(locals, transaction) : null;
	return {
		n: item.n,
		daemon: item.daemon,
		state,
		mark: markOf(state, status),
		problem: item.problem === null ? null : queueProblems.text(item.problem),
		/** Whether this member may send it now. */
		mayBeSent: isReady && foreign === null && approval?.status !== 'approved-for-author',
		/** What the policies would decide in that case. */
		foreseen:
			transaction !== null && isReady && foreign === null
				? await foreseenSend(locals, transaction, now)
				: null,
		/** Why this member may not send it; null when they may. */
		foreign: isReady ? foreign : null,
		isReady,
		/** Confirmed by the user, and held back until other members approve it. */
		isAwaiting: state === 'confirmed' && isHeld,
		/** Id of the approval request. */
		request: approval?.id ?? null,
		rejection: transaction && (await sendRejectionOf(locals, transaction)),
		status,
		/** What it spends and pays; null for readers who may not see it. */
		send: shown && {
			id: shown.id,
			txid: shown.txid,
			chain: shown.chain,
			expiresAt: shown.expiresAt,
			...shownReview(shown)
		}
	};
}

export const load: PageServerLoad = async ({ locals, params: { id }, url }) => {
	const { app } = locals;
	await lookAfterAll(app.sender);
	const view = (await app.approvalQueues.get(id)) ?? error(404, texts.noSuch);
	const now = Date.now();
	const txids = [...new Set(view.items.map(({ burnTxid }) => burnTxid))];
	const transactions = view.items.map(({ transaction }) => transaction);
	const readable = await onlyReadable(
		locals,
		'review',
		transactions.filter((one) => one !== null)
	);
	const burns = [];
	for (const txid of txids) {
		const items = view.items.filter(({ burnTxid }) => burnTxid === txid);
		const [{ source = '', destination = '' } = {}] = items;
		burns.push({
			txid,
			source,
			destination,
			burn: shownBurn(await app.notaryApprovals.published(txid)),
			approvals: await Promise.all(items.map((item) => shownItem(locals, item, readable, now)))
		});
	}
	return withLabels(locals, {
		queue: view.queue,
		burns,
		approvals: view.items.length,
		/** Ids of transactions that the member deselected when they sent the others. */
		left: [...new Set(url.searchParams.getAll(LEFT))],
		now
	});
};

/**
 * Runs an action on a queue, and reports on its page why it failed.
 * @param left ids of transactions that are ready and deselected; the page shows them so again
 */
async function act(id: string, left: readonly string[], acting: () => Promise<unknown>) {
	try {
		await acting();
	} catch (cause) {
		if (!isTransactionError(cause)) throw cause;
		return fail(cause.code === 'work.denied' ? 403 : 409, { problem: cause.message, left });
	}
	const query = new URLSearchParams(left.map((send) => [LEFT, send])).toString();
	const path = `/notary-approvals/queue/${encodeURIComponent(id)}`;
	redirect(303, query === '' ? path : `${path}?${query}`);
}

/** Returns the ids that a form names in a field. */
const idsIn = (form: FormData, field: string): string[] =>
	[...new Set(form.getAll(field))].filter((value) => typeof value === 'string');

export const actions: Actions = {
	send: async ({ request, locals, params: { id } }) => {
		await refuseRuledToken(locals);
		const { account } = requireMember(locals);
		const { approvalQueues } = locals.app;
		const form = await request.formData();
		const sends = idsIn(form, 'send');
		const left = idsIn(form, 'shown').filter((id) => !sends.includes(id));
		if (sends.length === 0) return fail(409, { problem: texts.chooseOne, left });
		return act(id, left, async () => {
			await approvalQueues.confirm(id, sends, account.name);
			await sendInTime(approvalQueues.advance(id));
		});
	},
	discard: async ({ request, locals, params: { id } }) =>
		act(id, idsIn(await request.formData(), LEFT), () =>
			// Each transaction is looked up first, at a daemon that may hang.
			sendInTime(locals.app.approvalQueues.discard(id, requireMember(locals).account.name))
		),
	again: async ({ request, locals, params: { id } }) =>
		act(id, idsIn(await request.formData(), LEFT), async () => {
			const { account } = requireMember(locals);
			const { approvalQueues } = locals.app;
			await approvalQueues.buildAgain(id, account.name);
			await sendInTime(approvalQueues.advance(id));
		})
};
