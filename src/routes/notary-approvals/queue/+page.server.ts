import { fail, redirect } from '@sveltejs/kit';
import { approveBurnsPage as texts } from '#lib/messages/pages/notaryApprovals.ts';
import type { PublishedBurn } from '#lib/server/cross-chain/notary-approvals/notaryApprovals.ts';
import { MOST_BURNS } from '#lib/server/cross-chain/notary-approvals/queue/approvalQueues.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import { sendInTime } from '#lib/server/wallet/transactions/lookUp.ts';
import { outcomeOf } from '../../outcomeOf.ts';
import { requireMember } from '../../requireMember.ts';
import type { Actions, PageServerLoad } from './$types';

/** Returns how many wallets of this member can approve a burn now. */
async function readyWallets(
	{ notaryApprovals, rights }: App.Locals['app'],
	found: PublishedBurn,
	person: string
): Promise<number> {
	let ready = 0;
	for (const { daemon, problem } of await notaryApprovals.wallets(found)) {
		if (problem === null && (await rights.walletRefusal(person, daemon)) === null) ready += 1;
	}
	return ready;
}

export const load: PageServerLoad = async ({ locals, url }) => {
	const { app } = locals;
	const person = locals.account?.name ?? '';
	const { burns, next } = await app.notaryApprovals.waiting(url.searchParams.get('after'));
	return withLabels(locals, {
		burns: await Promise.all(
			burns.map(async (found) => ({
				txid: found.burn.burnTxid,
				source: found.burn.source,
				destination: found.burn.destination,
				amount: found.burn.amount,
				tokenid: found.burn.tokenid,
				counted: found.counted,
				ready: await readyWallets(app, found, person)
			}))
		),
		next,
		needed: app.notaryApprovals.needed,
		queues: await app.approvalQueues.newest(),
		now: Date.now()
	});
};

interface Outcome {
	problem: string;
	chosen: string[];
}

const outcome = outcomeOf<Outcome>();

export const actions: Actions = {
	default: async ({ request, locals }) => {
		const { account } = requireMember(locals);
		const { approvalQueues } = locals.app;
		const chosen = (await request.formData())
			.getAll('burn')
			.filter((value) => typeof value === 'string');
		const created = await approvalQueues.create(chosen, account.name);
		if ('refused' in created) {
			const problem =
				created.refused === 'too-many'
					? texts.refused['too-many'](MOST_BURNS)
					: texts.refused[created.refused];
			return fail(409, outcome({ problem, chosen: chosen.slice(0, MOST_BURNS) }));
		}
		// If it takes longer, the worker continues, and the page of the queue shows the progress.
		await sendInTime(approvalQueues.advance(created.id));
		redirect(303, `/notary-approvals/queue/${created.id}`);
	}
};
