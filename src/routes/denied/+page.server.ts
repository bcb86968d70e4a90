import { error } from '@sveltejs/kit';
import { REFUSALS } from '#lib/server/auth/guard.ts';
import type { PageServerLoad } from './$types';

/** Stands in for a page that was refused: says why within the usual frame. */
export const load: PageServerLoad = ({ url, locals }) => {
	const why = new Map(Object.entries(REFUSALS)).get(url.searchParams.get('why') ?? '');
	const { status, message } = why ?? REFUSALS.forbidden;
	error(status, { message, requestId: locals.requestId });
};
