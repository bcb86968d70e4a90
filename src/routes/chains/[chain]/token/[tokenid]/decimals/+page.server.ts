import { moveToken } from '#lib/messages/pages/tokenForms.ts';
import { shownName } from '#lib/text/visibleText.ts';
import { tokenCrumb } from '#lib/ui/layout/trail.ts';
import { error, fail, redirect } from '@sveltejs/kit';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { tokenPiece } from '#lib/server/chains/explorer/indexedToken.ts';
import { isTransactionError } from '#lib/server/wallet/transactions/errors.ts';
import { readForm, trimmed } from '#lib/server/platform/http/readForm.ts';
import { requireMember } from '../../../../../requireMember.ts';
import { tokenidOf } from '../movable.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, params: { chain, tokenid: text } }) => {
	const tokenid = tokenidOf(text);
	const client = new PageClient(locals.app.gateway, locals.requestId);
	const [facts, decimals] = await Promise.all([
		tokenPiece(client, locals.app.index, chain, tokenid),
		locals.app.sender.decimals(chain, tokenid)
	]);
	if (facts.state === 'missing' && facts.problem.code === 'daemon.in-band-error')
		error(404, facts.problem.words);
	return {
		tokenid,
		facts,
		decimals,
		name: shownName(facts.data?.name, moveToken.noName),
		crumbs: tokenCrumb(facts.data?.name)
	};
};

export const actions: Actions = {
	default: async ({ request, locals, params: { chain, tokenid: text } }) => {
		const { account } = requireMember(locals);
		const tokenid = tokenidOf(text);
		const { decimals: typed } = await readForm(request, { decimals: trimmed });
		try {
			// Anything but a plain number is refused like a number out of range.
			const decimals = /^\d{1,3}$/.test(typed) ? Number(typed) : NaN;
			await locals.app.sender.setDecimals(chain, tokenid, decimals, account);
		} catch (cause) {
			if (!isTransactionError(cause)) throw cause;
			return fail(400, { typed, error: cause.message });
		}
		redirect(303, `/chains/${encodeURIComponent(chain)}/token/${tokenid}`);
	}
};
