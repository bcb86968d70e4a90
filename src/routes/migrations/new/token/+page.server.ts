import { fail, redirect } from '@sveltejs/kit';
import { z } from 'zod';
import { isHash } from '#lib/chain/idText.ts';
import { tokenMigration } from '#lib/messages/pages/migrationForm.ts';
import { moveToken } from '#lib/messages/pages/tokenForms.ts';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { isIncomplete } from '#lib/server/chains/explorer/incompleteIndexes.ts';
import { shownProgress } from '#lib/server/chains/explorer/indexAge.ts';
import { heldTokens } from '#lib/server/chains/explorer/heldTokens.ts';
import { isNonFungible } from '#lib/server/chains/explorer/tokens.ts';
import { readFormRoutes } from '#lib/server/cross-chain/migration/formChains.ts';
import { suggestedKeys } from '#lib/server/wallet/address-book/suggestions.ts';
import { formWallet } from '#lib/server/wallet/transactions/formWallet.ts';
import { readForm, text, trimmed } from '#lib/server/platform/http/readForm.ts';
import { chosenDecimalsFault, shownToken } from '../../../decimalsFault.ts';
import { outcomeOf } from '../../../outcomeOf.ts';
import { requireMember } from '../../../requireMember.ts';
import { chainParam, policyOf, stopped, type Stopped } from '../outcome.ts';
import type { Actions, PageServerLoad } from './$types';

/** Maximum number of tokens in the form; others are reached by the link on their own page. */
const MOST_SHOWN = 500;
/** The known tokens of a wallet are offered as a choice when the index is no further behind than this. Blocks. */
const BEHIND = 20;

export const load: PageServerLoad = async ({ locals, url }) => {
	const { rights, index, sender } = locals.app;
	const person = locals.account?.name ?? '';
	const gateway = await rights.gatewayOf(person);
	const chains = gateway.chains();
	const source = chainParam(url, 'source', chains);
	const asked = (url.searchParams.get('token') ?? '').toLowerCase();
	const client = new PageClient(gateway, locals.requestId);
	const wallet =
		source === '' ? null : await formWallet(client, source, { rights, sender }, person, 'tokens');
	const held = wallet?.usable ? await heldTokens(index, source, wallet.pubkey, MOST_SHOWN) : [];
	if (isHash(asked) && !held.some(({ tokenid }) => tokenid === asked)) {
		const nonFungible = await isNonFungible(client, source, asked);
		held.unshift({ tokenid: asked, name: tokenMigration.linked, units: 0n, nonFungible });
	}
	const [decimals, progress] = await Promise.all([
		sender.allDecimals(source),
		shownProgress({ index, gateway }, source)
	]);
	return {
		chains,
		known: await readFormRoutes(gateway, index),
		source,
		suggestions: await suggestedKeys(locals.app.addressBook),
		wallet,
		held: held.map((token) => ({ ...token, decimals: decimals.get(token.tokenid) ?? 0 })),
		progress,
		/** Whether the wallet may hold tokens that are not indexed, so that the form asks for an ID. */
		asksForId: isIncomplete(progress, held.length === 0 ? undefined : BEHIND),
		fungible: locals.app.config.fungibleTokens,
		typed: {
			source,
			destination: chainParam(url, 'destination', chains),
			tokenid: isHash(asked) ? asked : '',
			address: '',
			amount: '',
			proof: 'notarizations',
			policy: 'automatic'
		}
	};
};

interface Outcome extends Stopped {
	/** Current decimals of the token, when they have changed. */
	decimals?: number;
	typed: Record<
		'source' | 'destination' | 'tokenid' | 'address' | 'amount' | 'proof' | 'policy',
		string
	>;
}

const outcome = outcomeOf<Outcome>();

export const actions: Actions = {
	default: async ({ request, locals }) => {
		const actor = requireMember(locals).account.name;
		const read = await readForm(request, {
			...shownToken,
			source: text,
			destination: text,
			tokenid: trimmed.transform((id) => id.toLowerCase()),
			address: text,
			amount: text,
			proof: z.enum(['approvals', 'notarizations']).catch('notarizations'),
			policy: text.transform(policyOf)
		});
		const { 'shown.tokenid': _of, 'shown.decimals': _said, ...typed } = read;
		const { sender, migrations, gateway } = locals.app;
		const client = new PageClient(gateway, locals.requestId);
		const isKnown = gateway.chains().includes(typed.source) && isHash(typed.tokenid);
		const nonFungible = isKnown && (await isNonFungible(client, typed.source, typed.tokenid));
		// A non-fungible token has no amount to ask for: a posted one is ignored.
		const measured = nonFungible
			? { amount: '1', decimals: 0 }
			: { decimals: await sender.decimals(typed.source, typed.tokenid) };
		const token = { tokenid: typed.tokenid, decimals: measured.decimals };
		const unshown = chosenDecimalsFault(read, token, moveToken.decimalsUnshown);
		if (!nonFungible && unshown !== null) {
			const { decimals } = measured;
			return fail(400, outcome({ typed, errors: { amount: unshown }, checks: [], decimals }));
		}
		const drafted = await migrations.draft(
			{ ...typed, ...measured, approvals: typed.proof === 'approvals' },
			actor
		);
		if (drafted.kind === 'drafted') redirect(303, `/migrations/${drafted.id}`);
		return fail(400, outcome({ typed, ...stopped(drafted) }));
	}
};
