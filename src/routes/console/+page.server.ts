import { methodForms } from '#lib/messages/methodForms.ts';
import { consolePage } from '#lib/messages/pages/console.ts';
import { catalogueFor } from '#lib/server/rpc-proxy/console/catalogue.ts';
import { furtherFor } from '#lib/server/rpc-proxy/console/further.ts';
import { kdfCatalogueFor } from '#lib/server/rpc-proxy/console/kdf/catalogue.ts';
import { requireMember } from '../requireMember.ts';
import type { Actions, PageServerLoad } from './$types';
import { furtherPath, methodPath, kdfMethodPath } from './paths.ts';
import { pastRow } from './pastRow.ts';

const idOf = (locals: App.Locals): string => requireMember(locals).account.id;

/** Returns the group of the methods that only the configuration declares; empty when there are none. */
function furtherGroup({ app, identity }: App.Locals, query: string) {
	const methods = furtherFor(app.gateway, identity.role, query);
	const { title, summary } = consolePage.further;
	if (methods.length === 0) return [];
	return [
		{
			id: 'further',
			title,
			methods: methods.map(({ name, access }) => ({
				name,
				summary,
				words: methodForms.access[access],
				changes: false,
				note: null,
				href: furtherPath(name)
			}))
		}
	];
}

export const load: PageServerLoad = async ({ locals, url, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const query = (url.searchParams.get('q') ?? '').slice(0, 200);
	const { role } = locals.identity;
	const hasKdfs = locals.app.config.nodes.length > 0;
	/** Returns what both catalogs show of a method. */
	const groupsOf = (text: string) => [
		...catalogueFor(role, text).map(({ id, title, methods }) => ({
			id,
			title,
			methods: methods.map(({ name, summary, words, changes }) => ({
				name,
				summary,
				words,
				changes,
				note: null,
				href: methodPath(name)
			}))
		})),
		...furtherGroup(locals, text),
		...(hasKdfs ? kdfCatalogueFor(role, text) : []).map(({ id, title, methods }) => ({
			id,
			title,
			methods: methods.map(({ method, name, older, summary, words, changes }) => ({
				name,
				summary,
				words,
				changes,
				note: older ? consolePage.legacy : null,
				href: kdfMethodPath(method)
			}))
		}))
	];
	const calls = await locals.app.console.history.list(idOf(locals));
	return {
		query,
		hasKdfs,
		groups: groupsOf(query),
		total: groupsOf('').reduce((sum, { methods }) => sum + methods.length, 0),
		calls: calls.map(pastRow),
		now: Date.now()
	};
};

export const actions: Actions = {
	clear: async ({ locals }) => {
		await locals.app.console.history.clear(idOf(locals));
		return { cleared: true };
	}
};
