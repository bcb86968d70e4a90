import { fail, redirect } from '@sveltejs/kit';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import { balancesOf } from '#lib/server/wallet/overview/balances.ts';
import { isTransactionError, lockedBy } from '#lib/server/wallet/transactions/errors.ts';
import { requireMember } from '../../../requireMember.ts';
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
		let id: string;
		try {
			id = await locals.app.sender.mergeOutputs(chain, account.name, daemon);
		} catch (cause) {
			if (!isTransactionError(cause)) throw cause;
			return fail(400, { problem: cause.message, at: lockedBy(cause) });
		}
		redirect(303, `/transactions/${id}`);
	}
};
