import { error, redirect } from '@sveltejs/kit';
import { wallets } from '#lib/messages/pages/wallet.ts';
import { requireMember } from '../../../requireMember.ts';
import type { PageServerLoad } from './$types';

/** Wallet pages that a link may select. */
const TABS: ReadonlySet<string | null> = new Set(['send', 'split', 'consolidate', 'history']);

/** Redirects to the wallet that this member uses on the chain. */
export const load: PageServerLoad = async ({ locals, params: { chain }, url }) => {
	const { account } = requireMember(locals);
	const mine = await locals.app.rights.gatewayOf(account.name);
	const daemon = mine.daemonFor(chain, 'wallet') ?? error(404, wallets.noneOf(chain));
	const tab = url.searchParams.get('tab');
	redirect(303, `/wallets/${encodeURIComponent(daemon.id)}${TABS.has(tab) ? `/${tab}` : ''}`);
};
