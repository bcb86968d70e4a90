/** Texts of a member's notification settings. */
import { plural } from '#lib/text/plural.ts';

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
