import { error } from '@sveltejs/kit';
import { APPROVALS } from '#lib/messages/pages/approvals.ts';
import type { Account } from '#lib/server/access/identity/identity.ts';
import { mayAccess } from '#lib/server/access/policy/permissions.ts';
import { routes } from '#lib/server/access/policy/routes.ts';
import { takenBy } from '#lib/server/access/policy/rules/facts.ts';
import type { ApprovalRequest } from '#lib/server/access/approvals/request.ts';
import { readForm, text } from '#lib/server/platform/http/readForm.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import { discardInTime } from '#lib/server/wallet/transactions/lookUp.ts';
import { mayRead } from '../../readers.ts';
import { requireMember, requireSession } from '../../requireMember.ts';
import { decided } from '../decided.ts';
import { mayDecide, shownStanding, stateOf } from '../shown.ts';
import { bytesOf } from './bytes.ts';
import type { Actions, PageServerLoad } from './$types';

/** Returns a request that this member may read, or responds 404. */
async function existing(locals: App.Locals, id: string): Promise<ApprovalRequest> {
	const { account } = requireMember(locals);
	const request = await locals.app.approvals.get(id, account);
	return request ?? error(404, { message: APPROVALS.noSuch });
}

/** Returns the page of a request's subject; null when this member may not read it. */
async function pageOf(locals: App.Locals, { kind, subject }: ApprovalRequest) {
	if (subject === null) return null;
	if (kind === 'migration') return `/migrations/${subject}`;
	const may =
		mayAccess(locals.identity.role, routes['/transactions/[id]'].GET, false) &&
		(await mayRead(locals, 'review', subject));
	return may ? `/transactions/${subject}` : null;
}

export const load: PageServerLoad = async ({ locals, params, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const { account } = requireMember(locals);
	const request = await existing(locals, params.id);
	return withLabels(locals, {
		id: request.id,
		kind: request.kind,
		author: request.author,
		chain: request.chain,
		wallet: request.wallet,
		hash: request.hash,
		summary: request.summary,
		expiresAt: request.expiresAt,
		closedAt: request.closedAt,
		closedBy: request.closedBy,
		reason: request.reason,
		byToken: request.token !== null,
		state: stateOf(request),
		movements: request.movements.map((movement) => ({
			kind: movement.kind,
			chain: movement.chain,
			tokenid: movement.tokenid,
			taken: takenBy(movement),
			recipients: movement.parts
		})),
		standing: shownStanding(request),
		may: mayDecide(request, account.id),
		terms: request.terms.map(({ place, needed }) => ({ place, needed })),
		page: await pageOf(locals, request),
		bytes: await bytesOf(locals.app, request),
		now: Date.now()
	});
};

/** Decides about a request that this member may read, and continues what was waiting for it. */
async function decide(
	locals: App.Locals,
	id: string,
	act: (account: Account, session: string) => Promise<void>,
	reason?: string
) {
	const { account, session } = requireSession(locals);
	await existing(locals, id);
	const run = async (): Promise<void> => {
		await act(account, session.idHash);
		await locals.app.afterApprovals();
		await discardInTime(locals.app.sender);
	};
	return decided(`/approvals/${id}`, run, reason);
}

export const actions: Actions = {
	approve: async ({ request, locals, params: { id } }) => {
		const { hash } = await readForm(request, { hash: text });
		return decide(locals, id, (by, session) => locals.app.approvals.approve(id, by, hash, session));
	},

	reject: async ({ request, locals, params: { id } }) => {
		const { reason } = await readForm(request, { reason: text });
		return decide(
			locals,
			id,
			(by, session) => locals.app.approvals.reject(id, by, reason, session),
			reason
		);
	},

	withdraw: ({ locals, params: { id } }) =>
		decide(locals, id, (by) => locals.app.approvals.withdraw(id, by))
};
