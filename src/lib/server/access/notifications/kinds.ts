/** Which role is told of which kind, and over what unless a member chooses otherwise. */
import { NOTICE_KINDS, type NoticeChannel, type NoticeKind } from '#lib/messages/notices/kinds.ts';
import { mayAccess, type Access } from '../policy/permissions.ts';
import type { Role } from '../policy/roles.ts';

/** The right that a kind is about: who lacks it hears nothing of the kind. */
const NEEDS: Readonly<Record<NoticeKind, Access>> = {
	'needs-you': 'read',
	finished: 'read',
	stuck: 'read',
	daemon: 'read',
	notarization: 'read',
	safety: 'read',
	// A member hears of what was denied to a token of theirs, an admin of all.
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

export const mayHearOf = (role: Role, kind: NoticeKind): boolean =>
	mayAccess(role, NEEDS[kind], false);

/**
 * Whether a kind is sent outside, to an address or a browser. To a member who lacks the second factor that their role
 * requires only what happens to their own account is: whoever takes a factor away must not silence the word of it. The
 * rest waits in the inbox.
 */
export const isSentOutside = (
	{ role, lacks }: { role: Role; lacks: boolean },
	kind: NoticeKind
): boolean => mayHearOf(role, kind) && (!lacks || kind === 'security');

/** Kinds that members of a role are told of. */
export const kindsOf = (role: Role): NoticeKind[] =>
	NOTICE_KINDS.filter((kind) => mayHearOf(role, kind));

export const isUsual = (kind: NoticeKind, channel: NoticeChannel): boolean =>
	USUAL[kind].includes(channel);
