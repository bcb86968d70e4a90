import { bareText } from '#lib/chain/bareText.ts';
import { pubkeyFaultMessage } from '#lib/messages/pages/holder.ts';
import { tokenCrumb } from '#lib/ui/layout/trail.ts';
import { error } from '@sveltejs/kit';
import { mayAccess } from '#lib/server/access/policy/permissions.ts';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { pubkeyFault, readHolder } from '#lib/server/chains/explorer/holder.ts';
import { indexedUnits, ownUnits, tokenPiece } from '#lib/server/chains/explorer/indexedToken.ts';
import { indexedMined } from '#lib/server/chains/explorer/indexedTransaction.ts';
import { tokenHistory } from '#lib/server/chains/explorer/tokenHistory.ts';
import { whereMined } from '#lib/server/chains/explorer/transaction.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import { suggestedKeys } from '#lib/server/wallet/address-book/suggestions.ts';
import { tokenidOf } from './movable.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, params: { chain, tokenid }, url }) => {
	const id = tokenidOf(tokenid);
	const client = new PageClient(locals.app.gateway, locals.requestId);
	const asked = bareText(url.searchParams.get('pubkey') ?? '');
	const fault = asked === '' ? null : pubkeyFault(asked);
	const { index, rights } = locals.app;
	const mine = locals.account === null ? null : await rights.gatewayOf(locals.account.name);
	const ownPubkey = mine?.daemonFor(chain, 'wallet')?.pubkey ?? null;
	const [history, facts, own, mined, holder, decimals] = await Promise.all([
		tokenHistory(locals.app.index, chain, id, url.searchParams),
		tokenPiece(client, locals.app.index, chain, id),
		mine === null ? null : ownUnits(new PageClient(mine, locals.requestId), index, chain, id),
		client.piece(
			chain,
			`mined ${id}`,
			() => whereMined(client, chain, id),
			() => indexedMined(locals.app, chain, id)
		),
		asked === '' || fault !== null
			? null
			: client.piece(
					chain,
					`holder ${id} ${asked}`,
					() => readHolder(client, chain, id, asked),
					async () => {
						const known = await indexedUnits(index, chain, id, asked);
						return (
							known && { at: known.at, data: { pubkey: asked, balance: known.data, facts: [] } }
						);
					}
				),
		locals.app.sender.decimals(chain, id)
	]);
	// A token whose creation is still pending exists, although the daemon has no facts yet.
	const waits = mined.data !== null && mined.data.height === null;
	if (facts.state === 'missing' && facts.problem.code === 'daemon.in-band-error' && !waits)
		error(404, facts.problem.words);
	return withLabels(locals, {
		tokenid: id,
		crumbs: tokenCrumb(facts.data?.name),
		history,
		waits,
		facts,
		/** Balance of the team's wallet; null for a visitor. */
		own,
		mined,
		asked,
		fault: fault === null ? undefined : pubkeyFaultMessage(fault),
		suggestions: locals.account === null ? [] : await suggestedKeys(locals.app.addressBook),
		holder,
		decimals,
		mayName: mayAccess(locals.identity.role, 'admin', false),
		ownPubkey,
		chains: locals.app.gateway.chains(),
		now: client.now
	});
};
