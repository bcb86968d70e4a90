import { railOf } from '#lib/server/explorer/rail.ts';
import { themeOf } from '#lib/ui/theme.ts';
import type { LayoutServerLoad } from './$types';

export const load: LayoutServerLoad = ({ locals, cookies, url }) => ({
	chains: railOf(locals.app.gateway),
	account:
		locals.account === null ? null : { name: locals.account.name, role: locals.account.role },
	theme: themeOf(cookies.get('theme')),
	devnet: locals.app.devnet,
	// Read here so that the rail is fetched again with each page.
	path: url.pathname + url.search
});
