import { error, fail, redirect } from '@sveltejs/kit';
import type { App as Komodeck } from '#lib/server/appTypes.ts';
import { hasArrived } from '#lib/server/cross-chain/migration/states.ts';
import type { PublishedBurn } from '#lib/server/cross-chain/notary-approvals/notaryApprovals.ts';
import type { BurnCheck } from '#lib/server/cross-chain/notary-approvals/check.ts';
import { approvePage } from '#lib/messages/pages/notaryApprovals.ts';
import { refusalText } from '#lib/messages/notary-approvals/given.ts';
import { shownFinding } from '#lib/messages/notary-approvals/findings.ts';
import { walletProblems } from '#lib/messages/notary-approvals/wallets.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import { isTransactionError } from '#lib/server/wallet/transactions/errors.ts';
import { readForm, text } from '#lib/server/platform/http/readForm.ts';
import { outcomeOf } from '../../../outcomeOf.ts';
import { requireMember } from '../../../requireMember.ts';
import type { Actions, PageServerLoad } from './$types';

async function existing(app: Komodeck, txid: string): Promise<PublishedBurn> {
	return (
		(await app.notaryApprovals.published(txid)) ??
		error(404, { message: refusalText('no-such-burn', '') })
	);
}

export const load: PageServerLoad = async ({ locals, params }) => {
	const { app } = locals;
	const found = await existing(app, params.txid);
	const { burn, counted } = found;
	return withLabels(locals, {
		burn: {
			txid: burn.burnTxid,
			source: burn.source,
			destination: burn.destination,
			ccid: burn.ccid,
			burned: burn.burned,
			amount: burn.amount,
			tokenid: burn.tokenid,
			outputs: burn.outputs,
			sourceHeight: burn.sourceHeight,
			publishedAt: burn.publishedAt,
			done: hasArrived(burn.state)
		},
		counted,
		needed: app.notaryApprovals.needed,
		wallets: await Promise.all(
			(await app.notaryApprovals.wallets(found)).map(async (wallet) => ({
				...wallet,
				problem:
					(wallet.problem && walletProblems.text(wallet.problem)) ??
					(await app.rights.walletRefusal(locals.account?.name ?? '', wallet.daemon))?.message ??
					null
			}))
		),
		now: Date.now()
	});
};

type ShownFinding = ReturnType<typeof shownFinding>;

interface Outcome {
	problem: string | null;
	/** Findings of the daemon and of the decoded bytes; the proof itself is not sent to the browser. */
	check: { daemon: ShownFinding[]; own: ShownFinding[]; passed: boolean } | null;
	daemon: string;
}

const outcome = outcomeOf<Outcome>();

const shown = (check: BurnCheck | null): Outcome['check'] =>
	check && {
		daemon: check.daemon.map(shownFinding),
		own: check.own.map(shownFinding),
		passed: check.txOutProof !== null
	};

const refused = (problem: string, daemon: string, check: BurnCheck | null = null) =>
	fail(409, outcome({ problem, daemon, check: shown(check) }));

export const actions: Actions = {
	check: async ({ request, locals: { app }, params }) => {
		const { daemon } = await readForm(request, { daemon: text });
		const { burn } = await existing(app, params.txid);
		const check = await app.notaryApprovals.check(burn);
		return outcome({ problem: null, daemon, check: shown(check) });
	},
	build: async ({ request, locals, params }) => {
		const { app } = locals;
		const actor = requireMember(locals).account.name;
		const { daemon } = await readForm(request, { daemon: text });
		const found = await existing(app, params.txid);
		if (daemon === '') return refused(approvePage.approve.chooseWallet, daemon);
		if (hasArrived(found.burn.state)) return refused(refusalText('closed', ''), daemon);
		let outcome: Awaited<ReturnType<typeof app.notaryApprovals.approve>>;
		try {
			outcome = await app.notaryApprovals.approve(found, daemon, actor);
		} catch (cause) {
			if (!isTransactionError(cause)) throw cause;
			return refused(cause.message, daemon);
		}
		if ('problem' in outcome)
			return refused(walletProblems.text(outcome.problem), daemon, outcome.check);
		redirect(303, `/transactions/${outcome.send}`);
	}
};
