import { bareText } from '#lib/chain/bareText.ts';
import { fail } from '@sveltejs/kit';
import { isValidAddress } from '#lib/chain/address.ts';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { isNonFungible } from '#lib/server/chains/explorer/tokens.ts';
import { findKey, type FoundKey } from '#lib/server/wallet/address-book/findKey.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import { suggestedKeys } from '#lib/server/wallet/address-book/suggestions.ts';
import { readRecipient } from '#lib/server/wallet/batch-transfers/read.ts';
import { lockedBy } from '#lib/server/wallet/transactions/errors.ts';
import { readTransfer, type FieldErrors } from '#lib/server/wallet/transactions/request.ts';
import { readForm, shown, text } from '#lib/server/platform/http/readForm.ts';
import { decimalsFault } from '../../../../../decimalsFault.ts';
import { requireMember } from '../../../../../requireMember.ts';
import { toReview } from '../../../../../toReview.ts';
import { previousRequest, movable, tokenidOf } from '../movable.ts';
import type { Actions, PageServerLoad } from './$types';

/** Maximum characters of a field that a link prefills. */
const MOST_ASKED = 100;

export const load: PageServerLoad = async ({ locals, params, url }) => {
	const tokenid = tokenidOf(params.tokenid);
	const [known, before, suggestions] = await Promise.all([
		movable(locals, params.chain, tokenid),
		previousRequest(locals, url.searchParams.get('again'), 'token-transfer', tokenid),
		suggestedKeys(locals.app.addressBook)
	]);
	const asked = (name: string): string => (url.searchParams.get(name) ?? '').slice(0, MOST_ASKED);
	return withLabels(locals, {
		...known,
		suggestions,
		initial: before ?? { recipient: asked('recipient'), amount: asked('amount') }
	});
};

export const actions: Actions = {
	default: async ({ request, locals, params }) => {
		const { account } = requireMember(locals);
		const tokenid = tokenidOf(params.tokenid);
		const { 'shown.decimals': shownDecimals, ...typed } = await readForm(request, {
			recipient: text,
			amount: text,
			'shown.decimals': shown
		});
		const { app } = locals;
		const { sender } = app;
		const decimals = await sender.decimals(params.chain, tokenid);
		const refused = (
			errors: FieldErrors,
			problem: string | null = null,
			found: FoundKey | null = null,
			at: string | null = null
		) => fail(400, { typed, errors, problem, found, at, decimals });
		const changed = decimalsFault(shownDecimals, decimals);
		if (changed !== null) return refused({ amount: changed });
		const client = new PageClient(app.gateway, locals.requestId);
		// A label of the address book is resolved to its public key, which is used from here on.
		const [named, nonFungible] = await Promise.all([
			readRecipient(app.addressBook, typed.recipient),
			isNonFungible(client, params.chain, tokenid)
		]);
		const read = readTransfer(
			{ ...typed, recipient: named.ok ? named.pubkey : typed.recipient },
			tokenid,
			{ decimals, nonFungible }
		);
		if (!read.ok) {
			const written = bareText(typed.recipient);
			const found = isValidAddress(written) ? await findKey(app.index, client, written) : null;
			return refused(
				named.ok ? read.errors : { ...read.errors, recipient: named.sentence },
				null,
				found
			);
		}
		return toReview(sender.moveToken(params.chain, read.request, account.name), (cause) =>
			// This form has no field for a payload that is too large.
			cause.field === 'amount'
				? refused({ amount: cause.message })
				: refused({}, cause.message, null, lockedBy(cause))
		);
	}
};
