import { error, fail, redirect } from '@sveltejs/kit';
import { CHANGE } from '#lib/messages/pages/changes.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { readForm, text } from '#lib/server/platform/http/readForm.ts';
import { requireMember } from '../../../requireMember.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, params, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const { account } = requireMember(locals);
	const proposal = await locals.app.proposals.get(params.id);
	if (proposal === null) error(404, { message: CHANGE.noSuch });
	const { waitsFor, votes, code: _code, account: author, ...rest } = proposal;
	const isOpen = proposal.state === 'open';
	return {
		...rest,
		votes: votes.map(({ name, at, counts }) => ({ name, at, counts })),
		waitsFor: [...waitsFor.values()],
		mayApprove: isOpen && waitsFor.has(account.id),
		mayWithdraw: isOpen && author === account.id,
		now: Date.now()
	};
};

interface Outcome {
	problem: string;
	reason?: string;
	errors?: { reason?: string };
}

const outcome = (told: Outcome): Outcome => told;

/** Carries out what an admin decided; what stands against it is told where it was asked. */
async function decided(id: string, act: () => Promise<void>, reason?: string) {
	try {
		await act();
	} catch (cause) {
		// What a change is about can stand against it as well.
		if (!isAppError(cause)) throw cause;
		const typed = reason === undefined ? {} : { reason };
		return cause.field === 'reason'
			? fail(cause.status, outcome({ problem: '', ...typed, errors: { reason: cause.message } }))
			: fail(cause.status, outcome({ problem: cause.message, ...typed }));
	}
	redirect(303, `/approvals/changes/${id}`);
}

export const actions: Actions = {
	approve: ({ locals, params: { id } }) => {
		const { account } = requireMember(locals);
		return decided(id, () => locals.app.proposals.approve(id, account));
	},

	reject: async ({ request, locals, params: { id } }) => {
		const { account } = requireMember(locals);
		const { reason } = await readForm(request, { reason: text });
		return decided(id, () => locals.app.proposals.reject(id, account, reason), reason);
	},

	withdraw: ({ locals, params: { id } }) => {
		const { account } = requireMember(locals);
		return decided(id, () => locals.app.proposals.withdraw(id, account));
	}
};
