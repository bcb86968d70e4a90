import { error } from '@sveltejs/kit';
import { catalogueFor } from '#lib/server/console/catalogue.ts';
import { pastOf } from './words.ts';
import type { Actions, PageServerLoad } from './$types';

/** The table of routes lets only people in; this is for the compiler. */
const idOf = ({ account }: App.Locals): string =>
	account?.id ?? error(401, { message: 'Log in first.' });

export const load: PageServerLoad = async ({ locals, url, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const query = (url.searchParams.get('q') ?? '').slice(0, 200);
	const calls = await locals.app.console.history.list(idOf(locals));
	return {
		query,
		groups: catalogueFor(locals.identity.role, query),
		total: catalogueFor(locals.identity.role).reduce((sum, { methods }) => sum + methods.length, 0),
		calls: calls.map(pastOf),
		now: Date.now()
	};
};

export const actions: Actions = {
	clear: async ({ locals }) => {
		await locals.app.console.history.clear(idOf(locals));
		return { cleared: true };
	}
};
