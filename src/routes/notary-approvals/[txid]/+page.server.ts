import { error, fail, redirect } from '@sveltejs/kit';
import { APPROVALS_NEEDED } from '#lib/chain/approval.ts';
import { mayAccess } from '#lib/server/access/policy/permissions.ts';
import { hasArrived } from '#lib/server/cross-chain/migration/states.ts';
import { commandsOf } from '#lib/server/cross-chain/notary-approvals/publication.ts';
import { refusalText, stateText } from '#lib/messages/notary-approvals/given.ts';
import { REFUSAL_STATUS } from '#lib/server/cross-chain/notary-approvals/refusalStatus.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import { readForm, trimmed } from '#lib/server/platform/http/readForm.ts';
import { outcomeOf } from '../../outcomeOf.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, params, url, depends }) => {
	const { app, identity } = locals;
	depends('komodeck:backup');
	const found = await app.notaryApprovals.published(params.txid);
	if (!found) error(404, { message: refusalText('no-such-burn', '') });
	const { burn, approvals, counted } = found;
	const given = approvals.find(({ txid }) => txid === url.searchParams.get('given'));
	return withLabels(locals, {
		burn: {
			txid: burn.burnTxid,
			hex: burn.burnHex,
			payouts: burn.payouts,
			outputs: burn.outputs,
			source: burn.source,
			destination: burn.destination,
			ccid: burn.ccid,
			burned: burn.burned,
			amount: burn.amount,
			tokenid: burn.tokenid,
			sourceHeight: burn.sourceHeight,
			publishedAt: burn.publishedAt,
			open: burn.open,
			done: hasArrived(burn.state)
		},
		approvals: approvals.map(({ txid, status, notary, height, counts, givenAt }) => ({
			txid,
			status,
			words: stateText(status, burn.destination),
			notary,
			height,
			counts,
			givenAt
		})),
		counted,
		needed: APPROVALS_NEEDED,
		given: given ? stateText(given.status, burn.destination) : null,
		commands: commandsOf(burn, app.auth.origin ?? url.origin),
		mayApprove: mayAccess(identity.role, 'notary', false),
		/** The page of the migration is for members only. */
		migration: identity.via === 'public' ? null : burn.migration,
		now: Date.now()
	});
};

interface Outcome {
	typed: { txid: string };
	errors: { txid: string };
}

const outcome = outcomeOf<Outcome>();

export const actions: Actions = {
	default: async ({ request, locals: { app, account }, params, getClientAddress, setHeaders }) => {
		const { txid } = await readForm(request, { txid: trimmed });
		const result = await app.notaryApprovals.give(params.txid, txid, {
			address: getClientAddress(),
			account: account?.name ?? null
		});
		if (result.kind === 'kept') {
			redirect(303, `/notary-approvals/${params.txid}?given=${txid.toLowerCase()}`);
		}
		const { code, chain, retryAfter } = result;
		if (code === 'no-such-burn') error(404, { message: refusalText(code, '') });
		if (retryAfter !== null) setHeaders({ 'retry-after': String(retryAfter) });
		return fail(
			REFUSAL_STATUS[code],
			outcome({
				typed: { txid: txid.slice(0, 200) },
				errors: { txid: refusalText(code, chain) }
			})
		);
	}
};
