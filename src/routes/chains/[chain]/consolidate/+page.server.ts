import { redirect } from '@sveltejs/kit';
import type { PageServerLoad } from './$types';

/** A wallet has the page now: leads to that with which this member builds on the chain. */
export const load: PageServerLoad = ({ params: { chain } }) =>
	redirect(303, `/chains/${encodeURIComponent(chain)}/wallet?tab=consolidate`);
