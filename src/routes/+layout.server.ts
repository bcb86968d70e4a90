import { randomUUID } from 'node:crypto';
import { databaseErrorMessage } from '#lib/messages/database.ts';
import { diskMessage } from '#lib/messages/disk.ts';
import { PLAIN_HTTP_WARNING } from '#lib/messages/requests.ts';
import { mayAccess } from '#lib/server/access/policy/permissions.ts';
import type { SafetyStatus } from '#lib/server/access/policy/safety-controls/safetyControls.ts';
import type { ActingRole } from '#lib/server/access/identity/roles.ts';
import { sidebarChains, unusableDaemons } from '#lib/server/chains/explorer/sidebar.ts';
import { NOTHING_WAITS } from '#lib/server/cross-chain/open-work/waiting.ts';
import { FRAME } from '#lib/ui/live/liveRules.ts';
import { FOLDED_COOKIE, foldedGroups } from '#lib/ui/frame/sidebar.ts';
import { trailOf } from '#lib/ui/layout/trail.ts';
import type { LayoutServerLoad } from './$types';

/** Removes the reasons and names from the safety controls. */
const unsigned = ({ freeze, 'read-only': readOnly }: SafetyStatus) => ({
	freeze: freeze && { reason: '', by: '' },
	'read-only': readOnly && { reason: '', by: '' }
});

const mayOf = (role: ActingRole, hasKdf: boolean) => ({
	build: mayAccess(role, 'build', false),
	broadcast: mayAccess(role, 'broadcast', false),
	// Signing requires a trading node.
	sign: hasKdf && mayAccess(role, 'sign', false),
	admin: mayAccess(role, 'admin', false)
});

export const load: LayoutServerLoad = async ({ locals, cookies, depends, url, route, params }) => {
	depends(FRAME);
	const { app, account, identity, theme } = locals;
	// Read first, so that every later event is newer than this page.
	const live = app.live.position();
	// A member who must set up a second factor first is offered nothing else.
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
	// The page is incomplete: do not cache it for other visitors.
	if (databaseError !== null) locals.databaseError = databaseError;
	const disk = may.admin ? app.disk.status() : null;
	return {
		chains: sidebarChains(app.gateway),
		/** Open work of the member, shown next to the page concerned. */
		waiting: {
			...waiting,
			accessRequests,
			approvals: approvals + changes,
			daemons: account === null ? 0 : unusableDaemons(app.gateway)
		},
		/** Number of the member's unread notices. */
		unread,
		folded: foldedGroups(cookies.get(FOLDED_COOKIE)),
		account: account === null ? null : { name: account.name, role: account.role },
		/** What to display; the routes themselves check the rights. */
		may,
		theme,
		devnet: app.devnet,
		/** Safety controls that are on; reasons and names are for members only. */
		safetyControls: account === null ? unsigned(status) : status,
		/** Number of rows that were changed outside of Komodeck, for admins. */
		differing: may.admin ? app.audit.knownDifferences().length : 0,
		/** Why the database is unavailable, as a sentence: the page may be incomplete. */
		databaseError: databaseError === null ? null : databaseErrorMessage(databaseError).what,
		/** Warning for admins about use from other machines without TLS. */
		plainHttp: may.admin && app.plainHttp.isShown() ? PLAIN_HTTP_WARNING : null,
		/** Warning for admins about the disk of the data folder. */
		disk: disk === null ? null : diskMessage(disk),
		/** Id of the last event that this page includes for certain. */
		live,
		/** Idempotency key for the forms of this page; empty for visitors, whose forms create nothing. */
		formKey: account === null ? '' : randomUUID(),
		trail: trailOf(route.id, params),
		// Read here so that the sidebar is fetched again with each page.
		path: url.pathname + url.search
	};
};
