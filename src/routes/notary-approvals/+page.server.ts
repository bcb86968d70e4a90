import { mayAccess } from '#lib/server/access/policy/permissions.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, url }) => {
	const { app, identity } = locals;
	const { burns, next } = await app.notaryApprovals.waiting(url.searchParams.get('after'));
	return withLabels(locals, {
		burns: burns.map(({ burn, counted }) => ({
			txid: burn.burnTxid,
			source: burn.source,
			destination: burn.destination,
			amount: burn.amount,
			tokenid: burn.tokenid,
			publishedAt: burn.publishedAt,
			counted
		})),
		next,
		needed: app.notaryApprovals.needed,
		mayApprove: mayAccess(identity.role, 'notary', false),
		now: Date.now()
	});
};
