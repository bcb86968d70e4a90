/** Texts of the error page. */

/** Titles by HTTP status. */
export const ERROR_TITLES: Readonly<Record<number, string>> = {
	400: 'Invalid request',
	401: 'Log in first',
	403: 'You don’t have permission',
	404: 'Page not found',
	405: 'Not possible on this page',
	413: 'Too much data',
	429: 'Too many requests',
	503: 'Database unavailable'
};

export const ERROR_PAGE = {
	foreign: 'This request came from another site',
	failed: 'Something went wrong',
	other: 'Request failed',
	noDetails: 'No details are available.',
	kept: 'Your input is kept on this page.',
	sendAgainHint: 'Log in in a new tab, return to this one, and send the form again.',
	logInNewTab: 'Log in in a new tab',
	sendAgain: 'Send again',
	overview: 'Back to overview',
	logIn: 'Log in',
	sessionOver: 'You are not logged in any more, so nothing was done.'
} as const;
