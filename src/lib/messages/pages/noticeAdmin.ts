/** Texts of the admins' page for notices: webhooks, mail, the export of the audit log. */
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
