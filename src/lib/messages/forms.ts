/** What every form says: of its fields, its buttons, and a request that failed. */
import { count } from '#lib/text/plural.ts';

export const FIELD = {
	optional: 'optional',
	/** @param used bytes of the text that is typed */
	bytes: (used: number, most: number): string =>
		`${count(used)} of ${count(most)} bytes${used > most ? `, ${count(used - most)} too many` : ''}`
} as const;

export const FORM = {
	working: 'Working…',
	slow: {
		title: 'No response yet',
		text: 'The request may have arrived. Keep this page open: the outcome is shown here once a response arrives.'
	},
	unknown: 'No response arrived, so the outcome of the request is unknown.',
	lookAt: { before: 'Look at', after: 'before you send the form again.' },
	kept: {
		once: 'Your input is kept. Sent again unchanged, the request counts once.',
		reload: 'Your input is kept. Check in another tab what happened before you send the form again.'
	},
	/** Of a form that comes back with the browser's back button. */
	lost: {
		title: 'Not all of your input came back',
		text: (fields: readonly string[]): string =>
			`Check before you continue: ${fields.join(', ')}. The text was too long to be kept, or the option is not there any more.`
	},
	failed: { status: 'Status', code: ', code', request: ', request' }
} as const;

/** The pad by which the PIN of a hardware wallet is entered. */
export const PIN_PAD = {
	positions: 'Positions on the device',
	/** By the key of a numeric keyboard that stands in the same place. */
	names: {
		'7': 'top left',
		'8': 'top middle',
		'9': 'top right',
		'4': 'middle left',
		'5': 'center',
		'6': 'middle right',
		'1': 'bottom left',
		'2': 'bottom middle',
		'3': 'bottom right'
	},
	pressed: (n: number): string => `${n} pressed`,
	delete: 'Delete',
	digits: 'Positions of the digits',
	digitsHint: 'As on numeric keys: 7 8 9 above, 1 2 3 below.',
	passphrase: 'Passphrase of the wallet on the device',
	passphraseHint: 'Empty for the ordinary wallet.',
	sendPin: 'Send to the device',
	sendPassphrase: 'Send'
} as const;
