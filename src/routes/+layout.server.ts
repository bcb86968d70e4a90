import { randomUUID } from 'node:crypto';
import { databaseErrorMessage } from '#lib/messages/database.ts';
import { diskMessage } from '#lib/messages/disk.ts';
import { PLAIN_HTTP_WARNING } from '#lib/messages/requests.ts';
import { mayAccess } from '#lib/server/access/policy/permissions.ts';
import type { SafetyStatus } from '#lib/server/access/policy/safety-controls/safetyControls.ts';
import type { ActingRole } from '#lib/server/access/policy/roles.ts';
import { offlineDaemons, sidebarChains } from '#lib/server/chains/explorer/sidebar.ts';
import { NOTHING_WAITS } from '#lib/server/cross-chain/open-work/waiting.ts';
import { FRAME } from '#lib/ui/liveRules.ts';
import { FOLDED_COOKIE, foldedGroups } from '#lib/ui/sidebar.ts';
import { trailOf } from '#lib/ui/trail.ts';
import type { LayoutServerLoad } from './$types';

/** Switches without what somebody said of them. */
const unsigned = ({ freeze, 'read-only': readOnly }: SafetyStatus) => ({
	freeze: freeze && { reason: '', by: '' },
	'read-only': readOnly && { reason: '', by: '' }
});

const mayOf = (role: ActingRole, hasKdf: boolean) => ({
	build: mayAccess(role, 'build', false),
	broadcast: mayAccess(role, 'broadcast', false),
	// Without a trading node nothing signs.
	sign: hasKdf && mayAccess(role, 'sign', false),
	admin: mayAccess(role, 'admin', false)
});

export const load: LayoutServerLoad = async ({ locals, cookies, depends, url, route, params }) => {
	depends(FRAME);
	const { app, account, identity, theme } = locals;
	// Before anything is read: what is told from here on may be newer than this page.
	const live = app.live.position();
	// Who has to set up a second factor first is offered nothing but that.
	const setsUp = identity.via === 'session' && identity.session.setUpOnly;
	const may = mayOf(setsUp ? 'visitor' : identity.role, app.nodes.hasAny());
	const [{ status, databaseError }, waiting, accessRequests, approvals, changes, unread] =
		await Promise.all([
			app.safetyControls.shown(),
			may.broadcast && account !== null ? app.waiting.shown(account.name) : NOTHING_WAITS,
			may.admin ? app.accessRequests.shownCount() : 0,
			account === null ? 0 : app.approvals.shownCount(account.id),
			may.admin && account !== null ? app.proposals.shownCount(account.id) : 0,
			account === null ? 0 : app.notifications.inbox.unread(account.id)
		]);
	// The page lacks something: nobody else is given it.
	if (databaseError !== null) locals.databaseError = databaseError;
	const disk = may.admin ? app.disk.status() : null;
	return {
		chains: sidebarChains(app.gateway),
		/** What waits for the member, beside the page that shows it. */
		waiting: {
			...waiting,
			accessRequests,
			approvals: approvals + changes,
			daemons: account === null ? 0 : offlineDaemons(app.gateway)
		},
		/** Notices of the member that are unread. */
		unread,
		folded: foldedGroups(cookies.get(FOLDED_COOKIE)),
		account: account === null ? null : { name: account.name, role: account.role },
		/** What to offer; the routes themselves decide. */
		may,
		theme,
		devnet: app.devnet,
		/** What is switched off for everybody; why, and by whom, is for people with an account. */
		safetyControls: account === null ? unsigned(status) : status,
		/** Rows that were changed outside of Komodeck, for admins. */
		differing: may.admin ? app.audit.knownDifferences().length : 0,
		/** What keeps the database from its work, in a sentence: the page may lack what it holds. */
		databaseError: databaseError === null ? null : databaseErrorMessage(databaseError).what,
		/** Told to admins: the server is used from other machines without TLS. */
		plainHttp: may.admin && app.plainHttp.isShown() ? PLAIN_HTTP_WARNING : null,
		/** Told to admins: the disk of the data folder is getting full. */
		disk: disk === null ? null : diskMessage(disk),
		/** The last event that this page knows of for sure. */
		live,
		/** By which a form that was made with this page is known when it is sent twice; what visitors send makes nothing. */
		formKey: account === null ? '' : randomUUID(),
		trail: trailOf(route.id, params),
		// Read here so that the sidebar is fetched again with each page.
		path: url.pathname + url.search
	};
};
