import { mayAccess } from '#lib/server/auth/permissions.ts';
import { railOf } from '#lib/server/explorer/rail.ts';
import { troubleWords } from '#lib/server/db/trouble.ts';
import type { LayoutServerLoad } from './$types';

export const load: LayoutServerLoad = async ({
	locals: { app, account, identity, theme },
	url
}) => {
	const { standing, trouble } = await app.switches.shown();
	return {
		chains: railOf(app.gateway),
		account: account === null ? null : { name: account.name, role: account.role },
		/** What to offer; the routes themselves decide. */
		may: {
			build: mayAccess(identity.role, 'build', false),
			broadcast: mayAccess(identity.role, 'broadcast', false),
			sign: mayAccess(identity.role, 'sign', false),
			admin: mayAccess(identity.role, 'admin', false)
		},
		theme,
		devnet: app.devnet,
		/** What is switched off for everybody. */
		switches: standing,
		/** What keeps the database from its work, in a sentence: the page may lack what it holds. */
		trouble: trouble === null ? null : troubleWords(trouble).what,
		/** What is told from here on is newer than this page. */
		live: app.live.position(),
		// Read here so that the rail is fetched again with each page.
		path: url.pathname + url.search
	};
};
