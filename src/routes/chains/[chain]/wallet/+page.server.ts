import { error, redirect } from '@sveltejs/kit';
import { wallets } from '#lib/messages/pages/wallet.ts';
import { requireMember } from '../../../requireMember.ts';
import type { PageServerLoad } from './$types';

/** Leads to the wallet with which this member builds on the chain. */
export const load: PageServerLoad = async ({ locals, params: { chain } }) => {
	const { account } = requireMember(locals);
	const mine = await locals.app.rights.gatewayOf(account.name);
	const daemon = mine.daemonFor(chain, 'wallet') ?? error(404, wallets.noneOf(chain));
	redirect(303, `/wallets/${encodeURIComponent(daemon.id)}`);
};
