/** Texts of the safety controls page. */
export const SAFETY = {
	title: 'Safety controls',
	lead: 'Stop all activity in an emergency. Everyone sees a banner.',
	controls: {
		freeze: {
			title: 'Freeze sending',
			meaning:
				'Nothing is signed or sent, from pages, scripts or migrations. Migrations pause, and resume afterwards.',
			on: 'Sending is frozen',
			turnOff: 'Unfreeze sending',
			turnedOn: 'Sending is frozen.',
			turnedOff: 'Sending is active again.'
		},
		'read-only': {
			title: 'Turn on read-only mode',
			meaning:
				'Daemons are read only: nothing is built, sent or changed. Accounts and safety controls can still be changed.',
			on: 'Read-only mode is on',
			turnOff: 'Turn off read-only mode',
			turnedOn: 'Read-only mode is on.',
			turnedOff: 'Read-only mode is off.'
		}
	},
	by: (name: string): string => `By ${name},`,
	reason: 'Reason',
	reasonHint: 'Shown to everyone in the banner',
	wasOff: 'The safety control was off already.',
	faults: {
		unknown: 'There is no such safety control.',
		reason: 'Enter a reason: it is shown to everyone.'
	}
} as const;
