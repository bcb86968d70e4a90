import { requireMember } from '../requireMember.ts';
import { shownChange } from './changes/shown.ts';
import { filterOf, stateOf } from './shown.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, url, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const { account } = requireMember(locals);
	const filter = filterOf(url.searchParams);
	const requests = await locals.app.approvals.list(filter, account.id);
	const proposals =
		account.role === 'admin'
			? await locals.app.proposals.list(filter === 'past' ? 'past' : 'open')
			: [];
	const changes = proposals.filter(
		(proposal) => filter === 'past' || (proposal.account === account.id) === (filter === 'own')
	);
	return {
		filter,
		changes: changes.map(shownChange),
		requests: requests.map((request) => ({
			...{ id: request.id, author: request.author, chain: request.chain },
			...{ summary: request.summary, missing: request.missing, createdAt: request.createdAt },
			kind: request.movements[0]?.kind ?? null,
			state: stateOf(request)
		})),
		now: Date.now()
	};
};
