import { ERROR_PAGE } from './pages/errors.ts';

/** Messages of a form whose request is slow or failed, or whose input is restored. */
export const FORM = {
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
	/** When the user must do something first, in another tab, because only this page can keep the form. */
	first: {
		'sign-in-needed': { hint: ERROR_PAGE.sendAgainHint, link: ERROR_PAGE.logInNewTab },
		'confirmation-needed': {
			hint: 'Confirm in a new tab, return to this one, and send the form again.',
			link: 'Confirm in a new tab'
		}
	},
	/** When the browser's back button restored the form. */
	lost: {
		title: 'Not all of your input came back',
		text: (fields: readonly string[]): string =>
			`Check before you continue: ${fields.join(', ')}. The text was too long to be kept, or the option is not there any more.`
	},
	failed: { status: 'Status', code: ', code', request: ', request' }
} as const;
