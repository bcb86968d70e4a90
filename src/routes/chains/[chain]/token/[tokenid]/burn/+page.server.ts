import { fail, redirect } from '@sveltejs/kit';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { readToken } from '#lib/server/chains/explorer/tokens.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import { isTransactionError, lockedBy } from '#lib/server/wallet/transactions/errors.ts';
import { burnWord, readBurn, type FieldErrors } from '#lib/server/wallet/transactions/request.ts';
import { readForm, shown, text } from '#lib/server/platform/http/readForm.ts';
import { decimalsFault } from '../../../../../decimalsFault.ts';
import { requireMember } from '../../../../../requireMember.ts';
import { previousRequest, movable, tokenidOf } from '../movable.ts';
import type { Actions, PageServerLoad } from './$types';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { explainDaemon } from '#lib/messages/errors/explainDaemon.ts';

export const load: PageServerLoad = async ({ locals, params, url }) => {
	const tokenid = tokenidOf(params.tokenid);
	const [known, before] = await Promise.all([
		movable(locals, params.chain, tokenid),
		previousRequest(locals, url.searchParams.get('again'), 'token-burn', tokenid)
	]);
	// The confirmation is never prefilled: it must be typed each time.
	return withLabels(locals, {
		...known,
		/** The text to type for confirmation; null while the token cannot be read. */
		confirm: known.facts.data === null ? null : burnWord(known.facts.data),
		initial: { amount: before?.amount ?? '', confirmation: '' }
	});
};

export const actions: Actions = {
	default: async ({ request, locals, params }) => {
		const { account } = requireMember(locals);
		const { chain } = params;
		const tokenid = tokenidOf(params.tokenid);
		const { 'shown.decimals': shownDecimals, ...typed } = await readForm(request, {
			amount: text,
			confirmation: text,
			'shown.decimals': shown
		});
		const { sender, gateway } = locals.app;
		const decimals = await sender.decimals(chain, tokenid);
		const refused = (
			errors: FieldErrors,
			problem: string | null = null,
			at: string | null = null
		) => fail(400, { typed, errors, problem, at, decimals });
		const changed = decimalsFault(shownDecimals, decimals);
		if (changed !== null) return refused({ amount: changed });
		let id: string;
		try {
			const { name, kind } = await readToken(
				new PageClient(gateway, locals.requestId),
				chain,
				tokenid
			);
			const measure = { decimals, nonFungible: kind === 'non-fungible' };
			const read = readBurn(typed, { tokenid, name }, measure);
			if (!read.ok) return refused(read.errors);
			id = await sender.moveToken(chain, read.request, account.name);
		} catch (cause) {
			if (isAppError(cause, 'daemon')) {
				const { what, next } = explainDaemon(cause.coded);
				return refused({}, `${what} Nothing was sent. ${next}`);
			}
			if (!isTransactionError(cause)) throw cause;
			return cause.field === 'amount'
				? refused({ amount: cause.message })
				: refused({}, cause.message, lockedBy(cause));
		}
		redirect(303, `/transactions/${id}`);
	}
};
