/** What a form says of a request that is slow, failed or comes back. */
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
	/** Of a form that comes back with the browser's back button. */
	lost: {
		title: 'Not all of your input came back',
		text: (fields: readonly string[]): string =>
			`Check before you continue: ${fields.join(', ')}. The text was too long to be kept, or the option is not there any more.`
	},
	failed: { status: 'Status', code: ', code', request: ', request' }
} as const;
