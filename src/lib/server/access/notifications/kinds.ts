/** Which roles are notified of which kinds, and over which channels by default. */
import { NOTICE_KINDS, type NoticeChannel, type NoticeKind } from '#lib/messages/notices/kinds.ts';
import { mayAccess, type Access } from '../policy/permissions.ts';
import type { Role } from '../identity/roles.ts';

/** The right that a kind concerns: members without it get no notices of the kind. */
const NEEDS: Readonly<Record<NoticeKind, Access>> = {
	'needs-you': 'read',
	finished: 'read',
	stuck: 'read',
	daemon: 'read',
	notarization: 'read',
	safety: 'read',
	// A member is notified of refusals to a token of theirs, an admin of all refusals.
	refused: 'read',
	audit: 'admin',
	'new-admin': 'admin',
	security: 'read'
};

const USUAL: Readonly<Record<NoticeKind, readonly NoticeChannel[]>> = {
	'needs-you': ['bell', 'push', 'email'],
	finished: ['bell'],
	stuck: ['bell', 'push', 'email'],
	daemon: ['bell'],
	notarization: ['bell'],
	safety: ['bell', 'email'],
	refused: ['bell'],
	audit: ['bell', 'push', 'email'],
	'new-admin': ['bell', 'push', 'email'],
	security: ['bell', 'push', 'email']
};

/** Whether a role has the right that notices of this kind require. */
export const mayHearOf = (role: Role, kind: NoticeKind): boolean =>
	mayAccess(role, NEEDS[kind], false);

/**
 * Whether a kind may be sent outside, to an email address or a browser. A member who lacks the second factor
 * that their role requires gets only notices about their own account there, so that an attacker who removes a
 * factor cannot silence the warning. All other kinds wait in the inbox.
 */
export const isSentOutside = (
	{ role, lacks }: { role: Role; lacks: boolean },
	kind: NoticeKind
): boolean => mayHearOf(role, kind) && (!lacks || kind === 'security');

/** Returns the kinds that members of a role are notified of. */
export const kindsOf = (role: Role): NoticeKind[] =>
	NOTICE_KINDS.filter((kind) => mayHearOf(role, kind));

/** Whether notices of this kind go to the channel unless the member has chosen otherwise. */
export const isUsual = (kind: NoticeKind, channel: NoticeChannel): boolean =>
	USUAL[kind].includes(channel);
