import { tokenPage } from '#lib/messages/pages/token.ts';
import { moveToken } from '#lib/messages/pages/tokenForms.ts';
import { error } from '@sveltejs/kit';
import { formatUnits } from '#lib/chain/tokenUnits.ts';
import { shownName } from '#lib/text/visibleText.ts';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { tokenCrumb } from '#lib/ui/layout/trail.ts';
import { ownUnits, tokenPiece } from '#lib/server/chains/explorer/indexedToken.ts';
import { formWallet } from '#lib/server/wallet/transactions/formWallet.ts';
import type { TransferRequest } from '#lib/server/wallet/transactions/request.ts';
import { hashOr404 } from '../../../../hashOr404.ts';
import { mayRead } from '../../../../readers.ts';

/** Returns the id of a token in lowercase, or responds 404. */
export const tokenidOf = (text: string): string => hashOr404(text, tokenPage.notAnId);

/** Returns what the forms that move a token display: the token, the wallet, and its balance. */
export async function movable(
	{ app, requestId, account }: App.Locals,
	chain: string,
	tokenid: string
) {
	const person = account?.name ?? '';
	const client = new PageClient(await app.rights.gatewayOf(person), requestId);
	const [wallet, facts, own, decimals] = await Promise.all([
		formWallet(client, chain, app, person, 'tokens'),
		tokenPiece(client, app.index, chain, tokenid),
		ownUnits(client, app.index, chain, tokenid),
		app.sender.decimals(chain, tokenid)
	]);
	if (facts.state === 'missing' && facts.problem.code === 'daemon.in-band-error')
		error(404, facts.problem.words);
	return {
		tokenid,
		wallet,
		facts,
		own,
		decimals,
		name: shownName(facts.data?.name, moveToken.noName),
		crumbs: tokenCrumb(facts.data?.name)
	};
}

/** Returns the fields of an earlier review as text; null when it was for something else. */
export async function previousRequest(
	locals: App.Locals,
	id: string | null,
	kind: TransferRequest['kind'],
	tokenid: string
): Promise<{ recipient: string; amount: string } | null> {
	const { sender } = locals.app;
	const send = id !== null && (await mayRead(locals, 'review', id)) ? await sender.get(id) : null;
	if (send === null || send.request.kind !== kind || send.request.tokenid !== tokenid) return null;
	const { chain, request } = send;
	const decimals = await sender.decimals(chain, tokenid);
	return { recipient: request.recipient, amount: formatUnits(request.units, decimals) };
}
