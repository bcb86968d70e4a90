import { error } from '@sveltejs/kit';
import { CHANGE } from '#lib/messages/pages/changes.ts';
import { readForm, text } from '#lib/server/platform/http/readForm.ts';
import { requireMember, requireSession } from '../../../requireMember.ts';
import { decided } from '../../decided.ts';
import { mayDecide, shownStanding } from '../../shown.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, params, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const { account } = requireMember(locals);
	const proposal = await locals.app.proposals.get(params.id);
	if (proposal === null) error(404, { message: CHANGE.noSuch });
	const { title, lines, author, needed, state, reason } = proposal;
	const { createdAt, expiresAt, closedAt, closedBy } = proposal;
	return {
		title,
		lines,
		author,
		needed,
		state,
		reason,
		createdAt,
		expiresAt,
		closedAt,
		closedBy,
		standing: shownStanding(proposal),
		may: mayDecide(proposal, account.id),
		now: Date.now()
	};
};

const pageOf = (id: string): string => `/approvals/changes/${id}`;

export const actions: Actions = {
	approve: ({ locals, params: { id } }) => {
		const { account, session } = requireSession(locals);
		return decided(pageOf(id), () => locals.app.proposals.approve(id, account, session.idHash));
	},

	reject: async ({ request, locals, params: { id } }) => {
		const { account, session } = requireSession(locals);
		const { reason } = await readForm(request, { reason: text });
		const { idHash } = session;
		const { proposals } = locals.app;
		return decided(pageOf(id), () => proposals.reject(id, account, reason, idHash), reason);
	},

	withdraw: ({ locals, params: { id } }) => {
		const { account } = requireMember(locals);
		return decided(pageOf(id), () => locals.app.proposals.withdraw(id, account));
	}
};
