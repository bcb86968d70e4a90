import { redirect } from '@sveltejs/kit';
import type { PageServerLoad } from './$types';

/** This page moved to the wallet: redirects to the wallet that the member uses on the chain. */
export const load: PageServerLoad = ({ params: { chain } }) =>
	redirect(303, `/chains/${encodeURIComponent(chain)}/wallet?tab=consolidate`);
