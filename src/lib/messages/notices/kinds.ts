/** Kinds and channels of notices, with the texts of the page on which members choose. */

/** Kinds of notices, in display order. */
export const NOTICE_KINDS = [
	'needs-you',
	'finished',
	'stuck',
	'daemon',
	'notarization',
	'safety',
	'refused',
	'audit',
	'new-admin',
	'security'
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

export const isNoticeKind = (text: unknown): text is NoticeKind =>
	NOTICE_KINDS.some((kind) => kind === text);

export const NOTICE_KIND_WORDS: Readonly<Record<NoticeKind, { name: string; hint: string }>> = {
	'needs-you': {
		name: 'Needs you',
		hint: 'Approvals, PINs, access requests and work that was reassigned to you'
	},
	finished: {
		name: 'Finished',
		hint: 'Your transactions, migrations, batch transfers and activations'
	},
	stuck: {
		name: 'Stuck or failed',
		hint: 'Work of yours that stopped, and deliveries that fail'
	},
	daemon: { name: 'Daemon offline or behind', hint: 'And when the daemon is back' },
	notarization: {
		name: 'Notarization late',
		hint: 'No notarization for more than twice the usual time'
	},
	safety: {
		name: 'Safety controls and policy',
		hint: 'Freeze sending, read-only mode, changes of the policy'
	},
	refused: {
		name: 'Denied by policy',
		hint: 'Sends that a limit, a wallet or a token did not allow'
	},
	audit: {
		name: 'Audit log broken',
		hint: 'Events or rights that were changed outside of Komodeck'
	},
	'new-admin': { name: 'New admin', hint: 'A member was given the role admin' },
	security: {
		name: 'Security of your account',
		hint: 'Logins from new browsers, factors, API tokens, password, single sign-on'
	}
};

/** Channels to a member; a notice with no selected channel is not created. */
export const NOTICE_CHANNELS = ['bell', 'push', 'email'] as const;
export type NoticeChannel = (typeof NOTICE_CHANNELS)[number];

export const NOTICE_CHANNEL_WORDS: Readonly<Record<NoticeChannel, string>> = {
	bell: 'In Komodeck',
	push: 'In the browser',
	email: 'By email'
};
