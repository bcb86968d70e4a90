import { SEND_KINDS as KIND_WORDS, SEND_STATES } from '#lib/messages/pages/transactions.ts';
import { listPage } from '#lib/server/chains/explorer/listPage.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import { createTransactionList, STATUSES } from '#lib/server/wallet/transactions/list.ts';
import { lookAfterAll } from '#lib/server/wallet/transactions/lookUp.ts';
import { readsAll } from '#lib/server/wallet/transactions/readers.ts';
import { SEND_KINDS } from '#lib/server/wallet/transactions/tables.ts';
import { readerOf } from '../readers.ts';
import type { PageServerLoad } from './$types';
import { movedBy } from './moved.ts';
import { transactionPath } from './transactionPath.ts';

const ROWS = 50;

/** Returns the transactions that have all required approvals, as far as this member may see that. */
async function approvedOf({ app, account }: App.Locals, ids: readonly string[]) {
	const requests = await app.approvals.openOfEach(ids, account);
	return new Set(ids.filter((id) => requests.get(id)?.missing === 0));
}

export const load: PageServerLoad = async ({ locals, url }) => {
	const { db, sender, gateway } = locals.app;
	await lookAfterAll(sender);
	const now = Date.now();
	const reader = await readerOf(locals);
	const list = await listPage(db, createTransactionList(now, reader), url.searchParams, {
		limit: ROWS
	});
	const chains = [...new Set(list.rows.map(({ send }) => send.chain))];
	const decimals = new Map(
		await Promise.all(chains.map(async (name) => [name, await sender.allDecimals(name)] as const))
	);
	const asking = list.rows.filter(({ status }) => status === 'needs-approval');
	const approved = await approvedOf(
		locals,
		asking.map(({ send }) => send.id)
	);
	return withLabels(locals, {
		readsAll: readsAll(reader),
		list: {
			...list,
			file: '/transactions/transactions',
			rows: list.rows.map(({ send, status }) => ({
				id: send.id,
				href: transactionPath(send),
				kind: send.kind,
				chain: send.chain,
				txid: send.txid,
				name: send.request.kind === 'token-create' ? send.request.name : null,
				tokenid: 'tokenid' in send.request ? send.request.tokenid : null,
				moved: movedBy(send.request, (tokenid) => decimals.get(send.chain)?.get(tokenid)),
				/** Whether it is confirmed, so that the explorer has a page for it. */
				isMined: send.state === 'confirmed',
				createdBy: send.createdBy,
				createdAt: send.createdAt,
				state: status,
				isApproved: approved.has(send.id)
			}))
		},
		choices: {
			chains: [...new Set(gateway.daemons().map(({ chain }) => chain))].map(
				(chain) => [chain, chain] as const
			),
			kinds: SEND_KINDS.map((kind) => [kind, KIND_WORDS[kind]] as const),
			states: STATUSES.map((state) => [state, SEND_STATES[state]] as const)
		},
		now
	});
};
