import { error, fail, redirect } from '@sveltejs/kit';
import { classify } from '#lib/chain/classified.ts';
import { txidOf } from '#lib/chain/transaction.ts';
import { APPROVALS } from '#lib/messages/pages/approvals.ts';
import { readHex } from '#lib/server/access/policy/limits/measure.ts';
import { takenBy } from '#lib/server/access/policy/rules/facts.ts';
import type { ApprovalRequest } from '#lib/server/access/approvals/request.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { readForm, text } from '#lib/server/platform/http/readForm.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import { requireMember } from '../../requireMember.ts';
import { stateOf } from '../shown.ts';
import type { Actions, PageServerLoad } from './$types';

async function existing(locals: App.Locals, id: string): Promise<ApprovalRequest> {
	return (await locals.app.approvals.get(id)) ?? error(404, { message: APPROVALS.noSuch });
}

/** What the bytes spend and create. Nothing of their signatures: whoever has those can send them from anywhere. */
function bytesOf({ hex }: ApprovalRequest) {
	const tx = readHex(hex);
	if (tx === null) return null;
	return {
		txid: txidOf(tx),
		inputs: tx.vin.map(({ txid, vout }) => ({ txid, vout })),
		outputs: tx.vout.map(({ value, script }) => {
			const { type, address } = classify(script);
			return { value, type, address: address ?? null };
		})
	};
}

function pageOf({ kind, subject }: ApprovalRequest): string | null {
	if (subject === null) return null;
	return kind === 'migration' ? `/migrations/${subject}` : `/transactions/${subject}`;
}

export const load: PageServerLoad = async ({ locals, params, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const { account } = requireMember(locals);
	const request = await existing(locals, params.id);
	return withLabels(locals, {
		...{ id: request.id, kind: request.kind, author: request.author, chain: request.chain },
		...{ wallet: request.wallet, hash: request.hash, summary: request.summary },
		...{ expiresAt: request.expiresAt, closedAt: request.closedAt, closedBy: request.closedBy },
		...{ reason: request.reason, missing: request.missing },
		byToken: request.token !== null,
		state: stateOf(request),
		movements: request.movements.map((movement) => ({
			...{ kind: movement.kind, chain: movement.chain, tokenid: movement.tokenid },
			taken: takenBy(movement),
			recipients: movement.parts
		})),
		votes: request.votes.map(({ name, at, counts }) => ({ name, at, counts })),
		terms: request.terms.map(({ place, needed }) => ({ place, needed })),
		waitsFor: [...request.waitsFor.values()],
		page: pageOf(request),
		bytes: bytesOf(request),
		mayApprove: request.state === 'open' && request.waitsFor.has(account.id),
		mayWithdraw: request.state === 'open' && request.account === account.id,
		now: Date.now()
	});
};

interface Outcome {
	problem: string;
	reason?: string;
	errors?: { reason?: string };
}

const outcome = (told: Outcome): Outcome => told;

/** Carries out what a member decided; what stands against it is told where it was asked. */
async function decided(id: string, act: () => Promise<void>, reason?: string) {
	try {
		await act();
	} catch (cause) {
		if (!isAppError(cause, 'approval')) throw cause;
		const typed = reason === undefined ? {} : { reason };
		return cause.field === 'reason'
			? fail(cause.status, outcome({ problem: '', ...typed, errors: { reason: cause.message } }))
			: fail(cause.status, outcome({ problem: cause.message, ...typed }));
	}
	redirect(303, `/approvals/${id}`);
}

export const actions: Actions = {
	approve: async ({ request, locals, params: { id } }) => {
		const { account } = requireMember(locals);
		const { hash } = await readForm(request, { hash: text });
		return decided(id, async () => {
			await locals.app.approvals.approve(id, account, hash);
			await locals.app.afterApprovals();
		});
	},

	reject: async ({ request, locals, params: { id } }) => {
		const { account } = requireMember(locals);
		const { reason } = await readForm(request, { reason: text });
		const act = async (): Promise<void> => {
			await locals.app.approvals.reject(id, account, reason);
			await locals.app.afterApprovals();
		};
		return decided(id, act, reason);
	},

	withdraw: ({ locals, params: { id } }) => {
		const { account } = requireMember(locals);
		return decided(id, async () => {
			await locals.app.approvals.withdraw(id, account);
			await locals.app.afterApprovals();
		});
	}
};
