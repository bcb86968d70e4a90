import { randomUUID } from 'node:crypto';
import { mayAccess } from '#lib/server/access/policy/permissions.ts';
import type { Standing } from '#lib/server/access/policy/safety-controls/safetyControls.ts';
import { railOf } from '#lib/server/chains/explorer/sidebar.ts';
import { troubleWords } from '#lib/server/platform/database/databaseError.ts';
import { PLAIN_HTTP_WARNING } from '#lib/server/platform/http/plainHttp.ts';
import type { LayoutServerLoad } from './$types';

/** Switches without what somebody said of them. */
const unsigned = ({ freeze, 'read-only': readOnly }: Standing) => ({
	freeze: freeze && { reason: '', by: '' },
	'read-only': readOnly && { reason: '', by: '' }
});

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
		/** What is switched off for everybody; why, and by whom, is for people with an account. */
		switches: account === null ? unsigned(standing) : standing,
		/** Rows that were changed outside of Komodeck, for admins. */
		differing: mayAccess(identity.role, 'admin', false) ? app.audit.knownDifferences().length : 0,
		/** What keeps the database from its work, in a sentence: the page may lack what it holds. */
		trouble: trouble === null ? null : troubleWords(trouble).what,
		/** Told to admins: the server is used from other machines without TLS. */
		plainHttp:
			mayAccess(identity.role, 'admin', false) && app.plainHttp.isShown()
				? PLAIN_HTTP_WARNING
				: null,
		/** Told to admins: the disk of the data folder is getting full. */
		disk: mayAccess(identity.role, 'admin', false) ? (app.disk.standing()?.words ?? null) : null,
		/** What is told from here on is newer than this page. */
		live: app.live.position(),
		/** By which a form that was made with this page is known when it is sent twice. */
		formKey: randomUUID(),
		// Read here so that the rail is fetched again with each page.
		path: url.pathname + url.search
	};
};
