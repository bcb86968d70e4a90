import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import { balancesOf } from '#lib/server/wallet/overview/balances.ts';
import { requireMember } from '../../../requireMember.ts';
import { toReview, unbuilt } from '../../../toReview.ts';
import { openWallet } from '../../openWallet.ts';
import { shownWallet } from '../shownWallet.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, params }) => {
	const daemon = await openWallet(locals, params.id);
	const { piece, rows } = await shownWallet(locals, daemon);
	const { data, ...wallet } = piece;
	return withLabels(locals, {
		wallet,
		known: data !== null,
		pubkey: data?.pubkey ?? null,
		available: balancesOf(rows).available
	});
};

export const actions: Actions = {
	default: async ({ locals, params }) => {
		const { account } = requireMember(locals);
		const { id: daemon, chain } = await openWallet(locals, params.id);
		return toReview(locals.app.sender.consolidate(chain, account.name, daemon), unbuilt);
	}
};
