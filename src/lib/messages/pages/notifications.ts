/** What the pages of notices say: the list, a member's own choices, and what admins set up. */
import { plural } from '#lib/text/plural.ts';

export const NOTIFICATIONS = {
	title: 'Notifications',
	bell: (unread: number): string =>
		unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`,
	/** Beside the bell: more than two digits do not fit. */
	count: (unread: number): string => (unread > 99 ? '99+' : String(unread)),
	lead: (unread: number): string =>
		unread === 0 ? 'No unread notices' : plural(unread, 'unread notice', 'unread notices'),
	settings: 'Notification settings',
	markAll: 'Mark all read',
	markRead: 'Mark read',
	open: 'Open',
	unread: 'Unread',
	none: 'No notices yet',
	noneHint: 'What needs you, what finished and what went wrong is listed here.',
	unknown: 'A notice of another release of Komodeck',
	pages: 'Pages of notices',
	gone: 'There is no such notice any more.'
} as const;

export const NOTICE_SETTINGS = {
	title: 'Notification settings',
	lead: 'What you are told of, and over what',
	saved: 'Choices saved.',
	save: 'Save choices',
	kinds: 'Kinds of notices',
	caption: 'What you are told of, by kind and way',
	kind: 'Kind',
	email: {
		title: 'Email',
		label: 'Email address',
		hint: 'A link is sent there. Notices follow once you open the link.',
		ask: 'Send link',
		asked: 'A link was sent. Open it within a day to confirm the address.',
		current: (email: string): string => `Notices go to ${email}.`,
		pending: (email: string): string => `${email} is not confirmed yet.`,
		off: 'This installation sends no email. An admin can set up a mail server; the README says how.',
		remove: 'Remove address',
		removed: 'Address removed. No notices go out by email.',
		confirmTitle: 'Confirm email address',
		confirmText: 'Press the button to get your notices at the address to which this link was sent.',
		confirm: 'Confirm address',
		confirmed: 'Address confirmed.'
	},
	browser: {
		title: 'Browser notifications',
		insecure:
			'Browser notifications need https:// or localhost. This page was opened over plain HTTP.',
		unsupported: 'This browser does not offer notifications.',
		denied:
			'This browser blocks notifications of this site. Allow them in the settings of the browser.',
		noScript: 'Turning on browser notifications needs JavaScript.',
		failed: 'The browser did not subscribe at its push service. Nothing was changed.',
		isOn: 'On in this browser, until you log out here.',
		isOff: 'Off in this browser.',
		count: (n: number): string => `On in ${plural(n, 'browser')} of yours.`,
		turnOn: 'Turn on in this browser',
		turnOff: 'Turn off in this browser',
		turnOffAll: 'Turn off everywhere',
		turnedOn: 'Browser notifications are on in this browser.',
		turnedOff: 'Browser notifications are off.',
		details: 'Show the whole notice in browser notifications',
		detailsHint:
			'Names and amounts are then shown on the screen of the browser, also while it is locked. Without it, only the kind is shown.'
	}
} as const;

export const NOTICE_ADMIN = {
	title: 'Webhooks and export',
	lead: 'Where this installation sends notices and audit events',
	webhooks: {
		title: 'Webhooks',
		none: 'No webhooks yet.',
		url: 'Address',
		urlHint: 'https://. Private servers must be listed in KOMODECK_PRIVATE_SERVERS.',
		kinds: 'Kinds of notices',
		add: 'Add webhook',
		added: 'Webhook added.',
		secret: 'Secret',
		secretOnce: 'Copy the secret now: it is shown only once. Deliveries are signed with it.',
		change: 'Change webhook',
		changed: 'Webhook changed.',
		save: 'Save changes',
		rotate: 'Replace secret',
		rotated: 'Secret replaced. The one before signs too for another day.',
		both: 'The secret before the last one signs too, until',
		test: 'Send test',
		tested: 'A test is on its way. The delivery log shows what comes of it.',
		enable: 'Enable webhook',
		disable: 'Disable webhook',
		remove: 'Remove webhook',
		enabled: 'Webhook enabled.',
		disabled: 'Webhook disabled. What waited for it is forgotten.',
		removed: 'Webhook removed.',
		isDisabled: 'Disabled since',
		failing: 'Failing since',
		by: (name: string): string => `Added by ${name}`
	},
	deliveries: {
		title: 'Delivery log',
		none: 'No deliveries yet.',
		caption: 'Deliveries to webhooks, newest first',
		time: 'Time',
		server: 'Server',
		what: 'Notice',
		state: 'State',
		status: 'Status',
		attempts: 'Attempts',
		why: 'Last failure',
		states: { waiting: 'Pending', delivered: 'Delivered', failed: 'Failed' },
		gone: 'removed'
	},
	mail: {
		title: 'Email',
		on: (from: string, host: string): string => `Notices come from ${from} over ${host}.`,
		off: 'No mail server is set. Set KOMODECK_SMTP_HOST and KOMODECK_MAIL_FROM.'
	},
	exported: {
		title: 'Audit export',
		on: (url: string, last: number): string =>
			last === 0 ? `To ${url}; no event was taken there yet.` : `To ${url}, up to event ${last}.`,
		off: 'Audit events are sent nowhere. Set KOMODECK_AUDIT_EXPORT.'
	}
} as const;
