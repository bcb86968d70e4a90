import { error } from '@sveltejs/kit';
import { REFUSALS } from '#lib/server/auth/guard.ts';
import { keptBehind } from '#lib/server/http/keptForm.ts';
import type { PageServerLoad } from './$types';

/** Stands in for a page that was refused: says why within the usual frame. */
export const load: PageServerLoad = ({ url, locals }) => {
	const why = new Map(Object.entries(REFUSALS)).get(url.searchParams.get('why') ?? '');
	const { status, message } = why ?? REFUSALS.forbidden;
	const kept = keptBehind(url.searchParams.get('kept'));
	error(status, {
		message: kept === null ? message : 'Nobody is logged in here any more, so nothing was done.',
		requestId: locals.requestId,
		...(kept === null ? {} : { kept })
	});
};
