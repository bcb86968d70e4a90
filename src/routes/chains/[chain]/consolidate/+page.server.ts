import { fail, redirect } from '@sveltejs/kit';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import { isTransactionError, lockedBy } from '#lib/server/wallet/transactions/errors.ts';
import { formWallet } from '#lib/server/wallet/transactions/formWallet.ts';
import { requireMember } from '../../../requireMember.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, params: { chain } }) => {
	const { rights, sender } = locals.app;
	const person = locals.account?.name ?? '';
	const client = new PageClient(await rights.gatewayOf(person), locals.requestId);
	return withLabels(locals, {
		wallet: await formWallet(client, chain, { rights, sender }, person)
	});
};

export const actions: Actions = {
	default: async ({ locals, params: { chain } }) => {
		const { account } = requireMember(locals);
		let id: string;
		try {
			id = await locals.app.sender.mergeOutputs(chain, account.name);
		} catch (cause) {
			if (!isTransactionError(cause)) throw cause;
			return fail(400, { problem: cause.message, at: lockedBy(cause) });
		}
		redirect(303, `/transactions/${id}`);
	}
};
