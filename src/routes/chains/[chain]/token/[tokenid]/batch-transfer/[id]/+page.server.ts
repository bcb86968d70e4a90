import { tokenCrumb } from '#lib/ui/layout/trail.ts';
import { error, fail, redirect } from '@sveltejs/kit';
import { sumOf } from '#lib/chain/amount.ts';
import { shownName } from '#lib/text/visibleText.ts';
import { batchPage as words } from '#lib/messages/pages/batchTransfer.ts';
import { problems, type BatchTransferProblem } from '#lib/messages/batch-transfers/problems.ts';
import { mayAccess } from '#lib/server/access/policy/permissions.ts';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { tokenPiece } from '#lib/server/chains/explorer/indexedToken.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import type { BatchTransferItem } from '#lib/server/wallet/batch-transfers/store.ts';
import { repeatedIn } from '#lib/server/wallet/batch-transfers/read.ts';
import { FEE } from '#lib/server/wallet/transactions/verifyTransaction.ts';
import { isTransactionError } from '#lib/server/wallet/transactions/errors.ts';
import { lookAfterAll } from '#lib/server/wallet/transactions/lookUp.ts';
import { onlyReadable, refuseUnreadable } from '../../../../../../readers.ts';
import { refuseRuledToken } from '../../../../../../refuseRuledToken.ts';
import { rejectionOf } from '../../../../../../rejectionOf.ts';
import { requireMember } from '../../../../../../requireMember.ts';
import { shownForeseen } from '../../../../../../foreseenOf.ts';
import { tokenidOf } from '../../movable.ts';
import type { Actions, PageServerLoad } from './$types';

const problemText = (problem: BatchTransferProblem | null): string | null =>
	problem === null ? null : problems.text(problem);

/** Returns a batch transfer that this member may read, or responds 404. */
async function existing(locals: App.Locals, chain: string, tokenid: string, id: string) {
	const view = await locals.app.batchTransfers.get(id);
	if (view?.batchTransfer.chain !== chain || view.batchTransfer.tokenid !== tokenidOf(tokenid)) {
		error(404, words.noSuch);
	}
	await refuseUnreadable(locals, 'series', id, words.noSuch);
	return view;
}

/** Returns who rejected the approval of a transfer; null when that is not why it failed. */
const rejectedBy = (locals: App.Locals, { send, sendState, problem }: BatchTransferItem) =>
	send !== null && sendState === 'discarded' && problem?.code === 'transaction.rejected'
		? rejectionOf(locals, send)
		: null;

interface Wanted {
	rule: number;
	needed: number;
	/** Number of transfers for which it requires approval. */
	transfers: number;
}

/** Returns what the policies would decide about the transfers in turn, up to the first refusal. */
async function foreseenOf(
	{ account, app }: App.Locals,
	{ batchTransfer, lines }: Awaited<ReturnType<typeof existing>>
) {
	const rows =
		account &&
		(await app.rights.foreseenTransfers(account.name, { ...batchTransfer, rows: lines }));
	const approvals: Wanted[] = [];
	for (const [at, no] of (rows ?? []).entries()) {
		if (no === null) continue;
		const told = shownForeseen(no);
		if (told.is === 'refusal') return { approvals, refused: { row: at + 1, ...told } };
		const { rule, needed } = told;
		const same = approvals.find((one) => one.rule === rule && one.needed === needed);
		if (same) same.transfers += 1;
		else approvals.push({ rule, needed, transfers: 1 });
	}
	return { approvals, refused: null };
}

export const load: PageServerLoad = async ({ locals, params: { chain, tokenid, id } }) => {
	const { app } = locals;
	await lookAfterAll(app.sender);
	const view = await existing(locals, chain, tokenid, id);
	const { batchTransfer, lines } = view;
	const client = new PageClient(app.gateway, locals.requestId);
	const [facts, decimals] = await Promise.all([
		tokenPiece(client, app.index, chain, batchTransfer.tokenid),
		app.sender.decimals(chain, batchTransfer.tokenid)
	]);
	const person = locals.account?.name ?? '';
	const { daemon } = batchTransfer;
	const by = batchTransfer.confirmedBy ?? batchTransfer.createdBy;
	const foreign = (await app.rights.walletRefusal(person, daemon))?.message ?? null;
	const maySend = foreign === null && mayAccess(locals.identity.role, 'broadcast', false);
	const held = lines.find(({ sendState }) => sendState === 'needs-approval');
	const sends = lines.flatMap(({ send }) => (send === null ? [] : [{ id: send }]));
	/** The holder of the batch may read it even without the right to the wallet of its transactions. */
	const readable = new Set(
		(await onlyReadable(locals, 'review', sends)).map((readableSend) => readableSend.id)
	);
	const shown = [];
	for (const line of lines) {
		const rejection = await rejectedBy(locals, line);
		const href =
			line.send !== null && readable.has(line.send) ? `/transactions/${line.send}` : null;
		shown.push({ ...line, problem: problemText(line.problem), rejection, href });
	}
	return withLabels(locals, {
		batchTransfer: { ...batchTransfer, problem: problemText(batchTransfer.problem) },
		/** After a restore the transfers sent since the backup are missing, so totals are not shown. */
		isRestored: batchTransfer.problem?.code === 'backup.restored',
		/** Why this member cannot send it, and whether they may end it; null and true when they can. */
		foreign,
		mayEnd: (await app.rights.endRefusal(person, { kind: 'series', id, by, daemon })) === null,
		/** What the policies would decide if this member sent it now. */
		foreseen: maySend && batchTransfer.state === 'reviewed' ? await foreseenOf(locals, view) : null,
		/** The approval request that the next transfer waits for. */
		approval: held?.send
			? ((await app.approvals.openOf(held.send, locals.account))?.id ?? null)
			: null,
		lines: shown,
		name: shownName(facts.data?.name, words.unnamed),
		crumbs: tokenCrumb(facts.data?.name),
		decimals,
		sum: sumOf(lines.map(({ units }) => units)),
		fees: FEE * BigInt(lines.length),
		repeated: [...repeatedIn(lines)].map(([recipient, rows]) => ({ recipient, rows })),
		toSelf: lines.filter(({ recipient }) => recipient === batchTransfer.pubkey).map(({ n }) => n),
		now: Date.now()
	});
};

/** Executes an action in the name of the signed-in member. */
async function act(
	locals: App.Locals,
	{ chain, tokenid, id }: { chain: string; tokenid: string; id: string },
	what: 'confirm' | 'discard' | 'stop' | 'goOn' | 'retry'
) {
	const { account } = requireMember(locals);
	const sends = what !== 'stop' && what !== 'discard';
	if (sends) await refuseRuledToken(locals);
	const { batchTransfer } = await existing(locals, chain, tokenid, id);
	try {
		await locals.app.batchTransfers[what](id, account.name);
	} catch (cause) {
		if (!isTransactionError(cause)) throw cause;
		return fail(cause.code === 'work.denied' ? 403 : 409, { problem: cause.message });
	}
	const many = `/chains/${encodeURIComponent(chain)}/token/${batchTransfer.tokenid}/batch-transfer`;
	// Of a batch that was confirmed, the page shows what was sent.
	const isGone = what === 'discard' && batchTransfer.state === 'reviewed';
	redirect(303, isGone ? many : `${many}/${id}`);
}

export const actions: Actions = {
	confirm: ({ locals, params }) => act(locals, params, 'confirm'),
	discard: ({ locals, params }) => act(locals, params, 'discard'),
	stop: ({ locals, params }) => act(locals, params, 'stop'),
	goOn: ({ locals, params }) => act(locals, params, 'goOn'),
	retry: ({ locals, params }) => act(locals, params, 'retry')
};
